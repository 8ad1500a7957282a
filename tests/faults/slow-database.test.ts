import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checkData } from './check-data.js';
import { countDown } from '../support/count-down.js';
import { startEngine, type EngineProcess } from './engine-process.js';
import { startUnreliableProxy, type UnreliableProxy } from './unreliable-proxy.js';
import { randomOf } from './random.js';
import { sendTo } from './send-to.js';
import { makeProject, startService, type Project, type ServiceProcess } from './service-process.js';
import { createWriter, type Send } from './writer.js';

/** `npm run faults` sets more. */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 2) * 2;
const WRITERS = 16;

let project: Project;
let engine: EngineProcess;
let proxy: UnreliableProxy;
let service: ServiceProcess;
let environment: Readonly<Record<string, string>>;
const dataPath = (): string => path.join(project.folder, 'engine');

beforeAll(async () => {
  project = makeProject();
  mkdirSync(dataPath());
  engine = await startEngine(dataPath());
  proxy = await startUnreliableProxy(engine.port);
  environment = { DATABASE: 'auto', MONGODB_URI: `mongodb://127.0.0.1:${proxy.port}` };
  service = await startService(project, environment);
});
afterAll(async () => {
  await service.kill('service').catch(() => undefined);
  await proxy.close();
  await engine.kill();
  project.remove();
});

const ask = async (address: string): Promise<number> =>
  (await fetch(service.url + address, { headers: { authorization: `Bearer ${project.token}` } })).status;

const random = randomOf(0);

/** The disturbances of the database during writes; each of them ends. */
const troubles: Readonly<Record<string, () => Promise<void>>> = {
  'it is slow': async () => {
    proxy.setDelay(() => random() * 150);
    await wait(1500);
  },
  'it restarts': async () => {
    await wait(random() * 500);
    await engine.kill();
    engine = await startEngine(dataPath());
    proxy.setTarget(engine.port);
  },
  'its connections break': async () => {
    for (let times = 0; times < 5; times += 1) {
      await wait(random() * 300);
      proxy.cut();
    }
  },
  'it says nothing for a while': async () => {
    await wait(random() * 300);
    proxy.setDelay(() => Infinity);
    await wait(1200);
  },
};

test(`no acknowledged write is lost or incomplete after ${ROUNDS} database failures`, async () => {
  const { send, unanswered } = sendTo(service.url, project.token);
  const writers = Array.from({ length: WRITERS }, (_, index) => createWriter(`w${index}`, randomOf(index)));
  let acknowledged = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const [name, trouble] = Object.entries(troubles)[round % Object.keys(troubles).length] ?? ['', wait];
    let goesOn = true;
    const { enough, countOne } = countDown(2 * WRITERS);
    const counted: Send = (...request) => send(...request).finally(countOne);
    const writing = Promise.allSettled(writers.map((writer) => writer.write(counted, () => goesOn)));
    await Promise.race([enough, writing]);
    await trouble();
    goesOn = false;
    proxy.setDelay(() => 0);
    for (const written of await writing) {
      if (written.status === 'rejected') throw written.reason;
      acknowledged += written.value;
    }
    // Interrupted writes are completed before the next write.
    let status = 503;
    while (status === 503) status = (await send('POST', '/api/leaves', { label: 'settled' })).status;
    expect({ name, status }).toEqual({ name, status: 200 });
    await Promise.all(writers.map((writer) => writer.check(send)));
  }
  expect(unanswered).toEqual([]);
  expect(acknowledged).toBeGreaterThan(ROUNDS * WRITERS);
  const direct = { ...environment, MONGODB_URI: `mongodb://127.0.0.1:${engine.port}` };
  expect(checkData(project, direct)).toContain('no violations');
});

test('/_ready responds with 503 while the database hangs, and pending requests finish when it recovers', async () => {
  while ((await ask('/_ready')) !== 204) await wait(50);
  expect(await ask('/api/leaves')).toBe(200);
  proxy.setDelay(() => Infinity);
  const pending = ask('/api/leaves');
  // Before the database is given up, which would end the request.
  expect(await ask('/_ready')).toBe(503);
  proxy.setDelay(() => 0);
  expect(await pending).toBe(200);
  while ((await ask('/_ready')) !== 204) await wait(50);
});

// It takes most of a minute: `npm test` skips it.
(process.env['FAULT_ROUNDS'] === undefined ? describe.skip : describe)('while the database hangs for a minute', () => {
  test('requests are refused after a time limit, and served when it recovers', async () => {
    proxy.setDelay(() => Infinity);
    expect(await ask('/api/leaves')).toBe(503);
    proxy.setDelay(() => 0);
    while ((await ask('/_ready')) !== 204) await wait(50);
    expect(await ask('/api/leaves')).toBe(200);
  });
});
