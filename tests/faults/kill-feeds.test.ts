import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { openFeed, type OpenFeed } from '../support/change-feed.js';
import { countDown } from '../support/count-down.js';
import { minutes } from '../support/scaled.js';
import { checkData } from './check-data.js';
import { randomOf } from './random.js';
import { sendTo } from './send-to.js';
import { makeProject, startService, type Project, type ServiceProcess } from './service-process.js';
import type { Send } from './writer.js';

/** `npm run faults` sets more. */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 3);
const WRITERS = 8;
/** Writes of the living process after each kill. */
const BEATS = 4;
/**
 * Milliseconds after which a feed has told a write: what a reader waits for a write in progress, and the pauses of a
 * feed. On a busy machine it may take longer, but a write that nobody ends would hold up feeds until it is recovered,
 * for 20 s at least.
 */
const LATEST_MS = process.env['FAULT_ROUNDS'] === undefined ? 10_000 : 2000;

const uri = process.env['TEST_MONGODB_URI'] ?? '';
const name = `feeds_${process.pid}`;
const environment = { DATABASE: 'auto', MONGODB_URI: uri, DATABASE_NAME: name, EVENTS: 'true' };

/** Writes of many entries, which project code alone can send. */
const routes = `
const node = 'api::node.node';
const filtered = ({ body }) => ({ filters: { label: body.label } });
export const routes = ({ entries }) => [
  { method: 'PUT', path: '/many-nodes', handle: async (request) => ({ body: { data: await entries.updateMany(node, filtered(request), request.body.data) } }) },
  { method: 'DELETE', path: '/many-nodes', handle: async (request) => ({ body: { data: await entries.deleteMany(node, filtered(request)) } }) },
];`;

let project: Project;
let living: ServiceProcess;
let feed: OpenFeed;
beforeAll(async () => {
  project = makeProject();
  mkdirSync(path.join(project.folder, 'extensions'));
  writeFileSync(path.join(project.folder, 'extensions', 'index.mjs'), routes);
  living = await startService(project, environment);
  const headers = { authorization: `Bearer ${project.token}` };
  feed = await openFeed(`${living.url}/api/changes?types=nodes`, headers);
});
afterAll(async () => {
  feed.close();
  await living.stop();
  const client = await new MongoClient(uri).connect();
  await client.db(name).dropDatabase();
  await client.close();
  project.remove();
});

/**
 * Sends writes of each kind, some of which are refused, until one has no answer; returns the values that it may have
 * stored.
 */
async function write(writer: string, send: Send, random: () => number): Promise<readonly string[]> {
  for (let count = 0; ; count += 1) {
    const codeOf = (index: number): string => `${writer}.${index}.code`;
    const [label, code] = [`${writer}.${count}`, codeOf(count)];
    const node = { label, code };
    const [create, again] = [
      { create: 'nodes', data: node },
      { create: 'nodes', data: { label } },
    ];
    const requests: readonly Parameters<Send>[] = [
      ['POST', '/api/nodes', node],
      ['POST', '/api/batch', { operations: [create, again, again] }],
      ['POST', '/api/batch', { operations: [again, create, create] }],
      ['PUT', '/api/many-nodes', { label, data: { label: `${label}.later` } }],
      // The second one may be what the value is taken by.
      ['PUT', '/api/many-nodes', { label: `${writer}.${count - 1}`, data: { code: codeOf(count - 2) } }],
      ['DELETE', '/api/many-nodes', { label: `${writer}.${count - 1}` }],
    ];
    for (const request of [requests[0], requests[Math.floor(random() * requests.length)]]) {
      if (request === undefined) continue;
      const answer = await send(...request).catch(() => undefined);
      if (answer === undefined) return [code, codeOf(count - 2)];
      expect([200, 400, 409]).toContain(answer.status);
    }
  }
}

/** Waits until the feed tells an entry; returns the time. */
async function toldAt(id: number): Promise<number> {
  for (;;) {
    const change = await feed.change();
    if (change === undefined) throw new Error('The feed ended');
    if (change.id === id) return performance.now();
  }
}

// Each round starts a process.
test(
  `a process that is killed ${ROUNDS} times delays no feed of another, and keeps no value that must be unique`,
  async () => {
    const random = randomOf(0);
    const { send } = sendTo(living.url, project.token);
    const codes: string[] = [];
    let latest = 0;
    const beat = async (): Promise<void> => {
      const { body } = await send('POST', '/api/nodes', { label: 'beat' });
      const written = performance.now();
      latest = Math.max(latest, (await toldAt(body.data.id)) - written);
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      const killed = await startService(project, environment);
      const to = sendTo(killed.url, project.token);
      const { enough, countOne } = countDown(2 * WRITERS);
      const counted: Send = (...request) => to.send(...request).finally(countOne);
      const writing = Promise.all(
        Array.from({ length: WRITERS }, (_, index) => write(`${round}.${index}`, counted, randomOf(index))),
      );
      await Promise.race([enough, writing]);
      await wait(random() * 300);
      await Promise.all([beat(), wait(random() * 20).then(() => killed.kill('service'))]);
      codes.push(...(await writing).flat());
      for (let count = 0; count < BEATS; count += 1) await beat();
    }
    expect(latest).toBeLessThan(LATEST_MS);

    for (const code of codes) {
      const isThere = async (): Promise<boolean> =>
        (await send('GET', `/api/nodes?filters[code]=${code}`)).body.data.length === 1;
      // An entry that a dead process has locked is free within seconds.
      let status: number;
      do ({ status } = await send('POST', '/api/nodes', { code }));
      while (status === 409);
      expect({ code, status, isThere: await isThere() }).toMatchObject({ code, isThere: true });
    }
    expect(checkData(project, environment)).toContain('no violations');
  },
  minutes(10),
);
