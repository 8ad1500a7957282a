import { connect } from 'node:net';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { askUntilGone, type Met } from './keep-alive-clients.js';
import { makeProject, startService, type Project } from './service-process.js';
import { until } from '../support/until.js';

let project: Project;
beforeAll(() => {
  project = makeProject();
});
afterAll(() => project.remove());

test('on SIGTERM /_ready returns 503, the request in progress is completed, and the process exits with 0', async () => {
  const service = await startService(project, { DRAIN_DELAY: '3000' });
  const { hostname, port } = new URL(service.url);
  const body = JSON.stringify({ data: { label: 'last' } });
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (data) => (answer += String(data)));
  const head = [
    'POST /api/nodes HTTP/1.1',
    'Host: a',
    `Authorization: Bearer ${project.token}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`);
  await until(async () => (await fetch(`${service.url}/_ready`)).status === 204);

  // Fails unless the process ends with 0.
  const stopped = service.stop();
  let ready = await fetch(`${service.url}/_ready`);
  while (ready.status === 204) ready = await fetch(`${service.url}/_ready`);
  expect(ready.status).toBe(503);
  socket.write(body.slice(5));
  await Promise.all([stopped, once(socket, 'close')]);
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).toContain('"label":"last"');
});

/** How often each service is stopped; `docs/reliability.md` has the result of 20 stops. */
const ROUNDS = Number(process.env['ROUNDS'] ?? 1);

/** Stops services one after the other while clients keep their connections open; returns the clients' results. */
async function stopRepeatedly(settings: Readonly<Record<string, string>>): Promise<Met> {
  const all: Met = { answered: 0, refused: [], errors: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const { answered, refused, errors } = await stopUnderLoad(settings);
    all.answered += answered;
    all.refused.push(...refused);
    all.errors.push(...errors);
  }
  if (ROUNDS > 1) process.stderr.write(`${JSON.stringify({ settings, ROUNDS, ...all })}\n`);
  return all;
}

/** Stops a service while clients keep their connections open; returns the clients' results. */
async function stopUnderLoad(settings: Readonly<Record<string, string>>): Promise<Met> {
  // The delay ends as soon as each client has closed its connection, which on a busy machine takes a while.
  const delays = { CLOSE_DELAY: '60000', GRACE_PERIOD: '120000' };
  const service = await startService(project, { ...delays, ...settings });
  while (settings['CLUSTER'] !== undefined && !service.log().includes('2 workers serve')) await wait(20);
  const met: Met = { answered: 0, refused: [], errors: [] };
  const gone = askUntilGone(service.url, project.token, 8, met);
  while (met.answered < 100) await wait(5);
  await Promise.all([service.stop(), gone]);
  return met;
}
const nothingLost = { refused: [], errors: [] };

describe('clients with open connections lose no request', () => {
  test.each([{}, { DRAIN_DELAY: '300' }])('when one process stops, %j', async (settings) => {
    expect(await stopRepeatedly(settings)).toMatchObject(nothingLost);
  });

  test('when two workers stop', async () => {
    const uri = String(process.env['TEST_MONGODB_URI']);
    const name = `stopped_workers_${process.pid}`;
    const shared = { MONGODB_URI: uri, DATABASE: 'auto', DATABASE_NAME: name, CLUSTER: '2' };
    try {
      expect(await stopRepeatedly(shared)).toMatchObject(nothingLost);
    } finally {
      const client = await new MongoClient(uri).connect();
      await client.db(name).dropDatabase();
      await client.close();
    }
  });
});

test('an idle connection is closed and does not delay the shutdown', async () => {
  const service = await startService(project, { GRACE_PERIOD: '600000' });
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  socket.write('GET /_ready HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(socket, 'data');
  await Promise.all([service.stop(), once(socket, 'close')]);
  expect(service.log()).toContain('"msg":"Stopped"');
});
