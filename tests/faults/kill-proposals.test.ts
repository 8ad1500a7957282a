import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { openAssistant, type Assistant } from '../support/assistant.js';
import { randomOf } from './random.js';
import { makeProject, startService, victims, type Project, type ServiceProcess } from './service-process.js';

/** `npm run faults` sets more. */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 1);
const PROPOSALS = 6;
/** Milliseconds in which all are applied. */
const TIME = 300;

let project: Project;
let service: ServiceProcess | undefined;
afterEach(async () => {
  await service?.kill('both').catch(() => undefined);
  project.remove();
});

const random = randomOf(0);
const open = (): Promise<Assistant> => openAssistant(service?.url ?? '', project.token);

/** What is there of a change: its new entries, and the old one that it renames. */
const read = async ({ call }: Assistant, name: string) => {
  const find = async (type: string, label: string) =>
    (await call('find_entries', { type, filters: { label }, populate: type === 'nodes' ? ['group'] : [] })).data;
  return {
    leaves: await find('leaves', name),
    nodes: await find('nodes', name),
    old: await find('leaves', `old ${name}`),
  };
};

async function propose({ call }: Assistant, name: string): Promise<string> {
  const run = async (operations: readonly object[]) =>
    (await call('propose_changes', { operations })).proposal as string;
  const created = await run([{ action: 'create', type: 'leaves', data: { label: `old ${name}` } }]);
  const { entries } = await call('apply_proposal', { proposal: created });
  return run([
    { action: 'create', type: 'leaves', as: 'leaf', data: { label: name } },
    { action: 'create', type: 'nodes', data: { label: name, group: '$leaf' } },
    { action: 'update', type: 'leaves', id: entries[0].id, data: { label: `renamed ${name}` } },
  ]);
}

/** Applies it, however often that takes: what an interrupted write has locked is free within seconds. */
async function apply({ call }: Assistant, proposal: string): Promise<unknown> {
  for (;;) {
    const result = await call('apply_proposal', { proposal });
    if (![409, 503].includes(result.error?.status)) return result;
    await wait(200);
  }
}

test.each(Array.from({ length: ROUNDS }, (_, round) => victims[round % victims.length] ?? 'both'))(
  'a proposal is applied once and whole although it is interrupted: %s is killed',
  async (victim) => {
    project = makeProject();
    service = await startService(project);
    const before = await open();
    const names = Array.from({ length: PROPOSALS }, (_, index) => `name ${index}`);
    const proposals = new Map<string, string>();
    for (const name of names) proposals.set(name, await propose(before, name));
    const applying = [...proposals.values()].map((proposal) =>
      before.call('apply_proposal', { proposal }).catch(() => undefined),
    );
    await wait(random() * TIME);
    await service.kill(victim);
    if (victim === 'database') await service.kill('service');
    await Promise.all(applying);

    service = await startService(project);
    const after = await open();
    for (const [name, proposal] of proposals) {
      expect(await apply(after, proposal)).toMatchObject({ applied: proposal });
      const { leaves, nodes, old } = await read(after, name);
      expect([leaves.length, nodes.length, old.length]).toEqual([1, 1, 0]);
      expect(nodes[0].attributes.group.data.id).toBe(leaves[0].id);
    }
    await Promise.all([before.client.close(), after.client.close()]);
  },
);
