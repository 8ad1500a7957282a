import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { makeProject, startService, type Project, type ServiceProcess } from './service-process.js';

const LIMIT = 120;
const uri = String(process.env['TEST_MONGODB_URI']);
const shared = {
  MONGODB_URI: uri,
  DATABASE: 'auto',
  DATABASE_NAME: `workers_${process.pid}`,
  CLUSTER: '2',
  LOG_REQUESTS: 'true',
  RATE_LIMIT: String(LIMIT),
};

let project: Project;
let service: ServiceProcess | undefined;
let database: MongoClient;
beforeAll(async () => {
  database = await new MongoClient(uri).connect();
  project = makeProject();
  service = await startService(project, shared);
  await logged(/2 workers serve/);
});
afterAll(async () => {
  await service?.stop();
  await database.db(shared.DATABASE_NAME).dropDatabase();
  await database.close();
  project.remove();
});

const log = (): string => service?.log() ?? '';

/** Each on a connection of its own, so that the workers take turns. */
async function ask(path: string): Promise<{ status: number | undefined; text: string }> {
  const headers = { authorization: `Bearer ${project.token}` };
  const [response] = (await once(get(`${service?.url}${path}`, { agent: false, headers }), 'response')) as [
    IncomingMessage,
  ];
  let text = '';
  for await (const part of response) text += String(part);
  return { status: response.statusCode, text };
}

/** Waits until the log matches; returns the number of matches. */
async function logged(what: RegExp, times = 1): Promise<number> {
  for (;;) {
    const found = [...log().matchAll(new RegExp(what, 'g'))].length;
    if (found >= times) return found;
    await wait(20);
  }
}

/** The processes that answered. */
const answering = (): ReadonlySet<string | undefined> =>
  new Set([...log().matchAll(/"pid":(\d+),.*"msg":"Request"/g)].map(([, pid]) => pid));

describe('with CLUSTER=2', () => {
  test('two processes serve one address, and access.json is applied once', async () => {
    while (answering().size < 2) expect((await ask('/api/nodes')).status).toBe(200);
    expect(await logged(/Access: /)).toBe(1);
  });

  test('a killed worker is replaced', async () => {
    const [killed] = answering();
    process.kill(Number(killed), 'SIGKILL');
    await logged(/Ready on/, 3);
    expect(log()).toMatch(new RegExp(`Worker ${killed} ended \\(SIGKILL\\)`));
    while (answering().size < 3) expect((await ask('/api/nodes')).status).toBe(200);
  });

  test('/metrics returns the sum of all workers', async () => {
    const counted = async (): Promise<number> => {
      const { text } = await ask('/metrics');
      return Number(/_count\{method="GET",route="\/api\/nodes",status="200"\} (\d+)/.exec(text)?.[1]);
    };
    const before = await counted();
    for (let index = 0; index < 6; index += 1) await ask('/api/nodes');
    expect(await counted()).toBe(before + 6);
  });

  test('the rate limit of an address applies to all workers together', async () => {
    await ask('/api/nodes');
    const expire = new Date(Date.now() + 3_600_000);
    await database
      .db(shared.DATABASE_NAME)
      .collection('_rate_limits')
      .updateMany({}, { $set: { points: LIMIT - 10, expire } });
    const answers = await Promise.all(Array.from({ length: 14 }, () => ask('/api/nodes')));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(200), ...Array(4).fill(429)]);
  });

  test('SIGTERM stops all workers, and the process exits with 0', async () => {
    await service?.stop();
    const log = service?.log() ?? '';
    service = undefined;
    expect([...log.matchAll(/"msg":"Stopped"/g)]).toHaveLength(2);
  });
});

test('CLUSTER without a database that processes can share is refused', async () => {
  await expect(startService(project, { CLUSTER: '2' })).rejects.toThrow(
    'CLUSTER (2 processes) requires a shared database: set MONGODB_URI, or remove CLUSTER',
  );
});
