import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { countDown } from '../support/count-down.js';
import { minutes } from '../support/scaled.js';
import { createWriters, makeAuditedProject, recorded, type Write } from './audited-writer.js';
import { checkData } from './check-data.js';
import { sendTo } from './send-to.js';
import { startService, type Project, type ServiceProcess } from './service-process.js';
import type { Send } from './writer.js';

const PROCESSES = 4;
const WRITERS = 3;
const name = `audit_four_${process.pid}`;
const uri = process.env['TEST_MONGODB_URI'] ?? '';
const environment = { DATABASE: 'auto', MONGODB_URI: uri, DATABASE_NAME: name };

let project: Project;
let client: MongoClient;
const services: ServiceProcess[] = [];
const start = async (): Promise<ServiceProcess> => {
  const service = await startService(project, environment);
  services.push(service);
  return service;
};
beforeAll(async () => {
  project = makeAuditedProject();
  client = await new MongoClient(uri).connect();
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await client.db(name).dropDatabase();
  await client.close();
  project.remove();
});

/** Milliseconds after which what another process does in the background is not done at all. */
const PATIENCE_MS = 120_000;

/** Repeats a question until the answer is as wanted, or for that long. @returns the last answer */
async function answerOf<T>(ask: () => Promise<T>, isWanted: (answer: T) => boolean): Promise<T> {
  const last = performance.now() + PATIENCE_MS;
  let answer = await ask();
  while (!isWanted(answer) && performance.now() < last) answer = await ask();
  return answer;
}

test(
  'each stored write of four processes has one record, and no other has, when one of them is killed',
  async () => {
    const running = await Promise.all(Array.from({ length: PROCESSES }, start));
    const sends = running.map(({ url }) => sendTo(url, project.token).send);
    const [victim, sendToVictim] = [running[0] as ServiceProcess, sends[0] as Send];
    const shared = (await sendToVictim('POST', '/api/leaves', { label: 'shared' })).body.data.id as number;
    const writers = await Promise.all(sends.map((send, index) => createWriters(WRITERS, `p${index}`, send)));

    const { enough, countOne } = countDown(8 * PROCESSES * WRITERS);
    let goesOn = true;
    const writing = Promise.all(
      sends.map((send, index) => {
        const counted: Send = (...request) => send(...request).finally(countOne);
        return Promise.all((writers[index] ?? []).map((writer) => writer.write(counted, () => goesOn)));
      }),
    );
    await Promise.race([enough, writing]);
    await victim.kill('service');
    services.splice(services.indexOf(victim), 1);
    goesOn = false;
    await writing;
    sends[0] = sendTo((await start()).url, project.token).send;

    // All processes write the same entry; whoever loses too often gets 409, and has no record.
    const updates = await Promise.all(
      Array.from({ length: 24 }, async (_, turn) =>
        (sends[turn % PROCESSES] as Send)('PUT', `/api/leaves/${shared}`, { label: `shared ${turn}` }),
      ),
    );
    const updated = updates.filter(({ status }) => status === 200).map(() => `update ${shared}`);
    expect(updated.length).toBeGreaterThan(PROCESSES);

    // Others undo what transactions of the killed process have changed: until then reads show it.
    const locked = (): Promise<number> =>
      client
        .db(name)
        .collection('leaves')
        .countDocuments({ _lock: { $ne: null } });
    expect(await answerOf(locked, (count) => count === 0)).toBe(0);
    const stored = await Promise.all(
      writers.flatMap((all, index) => all.map((writer) => writer.find(sends[index] as Send))),
    );
    const expected = [`create ${shared}`, ...updated, ...stored.flat()].toSorted();
    // Each records its own writes, and what the killed one has left.
    const ask = (): Promise<readonly Write[]> => recorded(sends[1] as Send);
    const found = await answerOf(ask, ({ length }) => length >= expected.length);
    expect(found.toSorted()).toEqual(expected);
    expect(checkData(project, environment)).toContain('no violations');

    const records = client.db(name).collection<{ _id: number }>('audit_records');
    expect((await records.distinct('chain')).length).toBeGreaterThan(PROCESSES);
  },
  minutes(10),
);
