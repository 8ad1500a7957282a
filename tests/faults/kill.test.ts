import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { checkData } from './check-data.js';
import { countDown } from '../support/count-down.js';
import { isQuick, minutes } from '../support/scaled.js';
import { createLocalizedWriter, page, pageLocales } from './localized-writer.js';
import { randomOf } from './random.js';
import { sendTo } from './send-to.js';
import { makeProject, startService, victims, type Project, type ServiceProcess } from './service-process.js';
import { createWriter, type Send } from './writer.js';

/** `npm run faults` sets more. */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? (isQuick ? 1 : 2));
const WRITERS = 16;

let project: Project;
let service: ServiceProcess | undefined;
beforeAll(() => {
  project = makeProject();
  writeFileSync(path.join(project.folder, 'content-types', 'page.json'), JSON.stringify(page));
  mkdirSync(path.join(project.folder, 'config'));
  writeFileSync(path.join(project.folder, 'config', 'plugins.json'), JSON.stringify(pageLocales));
});
afterAll(async () => {
  await service?.kill('both').catch(() => undefined);
  project.remove();
});

/** Entries that all writers fight for: what becomes of them is not predicted, but the stored data must be sound. */
async function fight(send: Send, random: () => number, goOn: () => boolean): Promise<void> {
  const label = { label: 'shared' };
  const listed = async (collection: string): Promise<readonly number[]> => {
    const { body } = await send('GET', `/api/${collection}?filters[label]=shared&pagination[limit]=6`);
    return (body.data ?? []).map(({ id }: { id: number }) => id);
  };
  const pick = (ids: readonly number[]): number => ids[Math.floor(random() * ids.length)] ?? 0;
  while (goOn()) {
    const [nodes, leaves] = [await listed('nodes'), await listed('leaves')];
    if (nodes.length < 3) await send('POST', '/api/nodes', label);
    if (leaves.length < 3) await send('POST', '/api/leaves', label);
    const [node, leaf] = [pick(nodes), pick(leaves)];
    const writes: readonly (readonly [string, string, object?])[] = [
      ['PUT', `/api/nodes/${node}`, { partner: leaf, labels: { connect: [leaf] }, box: { leaves: [leaf] } }],
      ['PUT', `/api/nodes/${node}`, { peers: [node, pick(nodes)], parent: pick(nodes), group: leaf }],
      ['PUT', `/api/leaves/${leaf}`, { labelled: [node, pick(nodes)], holder: node, members: { connect: [node] } }],
      ['PUT', `/api/leaves/${leaf}`, { notes: [node], labelled: { disconnect: [node] } }],
      [
        'POST',
        '/api/batch',
        {
          operations: [
            { update: 'nodes', id: node, data: { partner: leaf, labels: [leaf] } },
            { update: 'leaves', id: leaf, data: { members: [node, pick(nodes)] } },
            { create: 'leaves', data: { ...label, holder: pick(nodes) } },
          ],
        },
      ],
      ['DELETE', `/api/leaves/${leaf}`],
      ['DELETE', `/api/nodes/${node}`],
    ];
    const [method, path, data] = writes[Math.floor(random() * writes.length)] ?? ['GET', '/'];
    const { status } = await send(method, path, data);
    if (status >= 500) return;
  }
}

// Each round starts the service twice.
test(
  `no acknowledged write is lost when the process is killed, ${ROUNDS} times`,
  async () => {
    const random = randomOf(0);
    const writers = Array.from({ length: WRITERS }, (_, index) =>
      (index % 4 === 0 ? createLocalizedWriter : createWriter)(`w${index}`, randomOf(index)),
    );
    let acknowledged = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const victim = victims[round % victims.length] ?? 'both';
      const running = await startService(project);
      service = running;
      const { send, unanswered } = sendTo(running.url, project.token);
      let goesOn = true;
      const goOn = (): boolean => goesOn;
      const { enough, countOne } = countDown(2 * WRITERS);
      const counted: Send = (...request) => send(...request).finally(countOne);
      const writing = Promise.allSettled(writers.map((writer) => writer.write(counted, goOn)));
      const fighting = Array.from({ length: 4 }, () => fight(send, random, goOn).catch(() => undefined));
      await Promise.race([enough, writing]);
      await wait(random() * 1500);
      await running.kill(victim);
      goesOn = false;
      for (const written of await writing) {
        if (written.status === 'rejected') throw written.reason;
        acknowledged += written.value;
      }
      await Promise.all(fighting);
      if (victim === 'database') await running.kill('both');

      const after = await startService(project);
      service = after;
      const afterwards = sendTo(after.url, project.token);
      await Promise.all(writers.map((writer) => writer.check(afterwards.send)));
      await after.stop();
      service = undefined;
      const findings = checkData(project);
      const sound = expect.stringContaining('no violations');
      const never = [...unanswered, ...afterwards.unanswered];
      expect({ round, victim, never, findings }).toEqual({ round, victim, never: [], findings: sound });
    }
    expect(acknowledged).toBeGreaterThan(ROUNDS * WRITERS);
  },
  minutes(10),
);
