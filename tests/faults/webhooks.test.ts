import { setTimeout as wait } from 'node:timers/promises';
import fs from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openReceiver, type Answered, type Receiver } from '../support/webhook-receiver.js';
import { countDown } from '../support/count-down.js';
import { createFollower, type Follower } from './follow-changes.js';
import { randomOf } from './random.js';
import { sendTo } from './send-to.js';
import { makeProject, startService, type Project, type ServiceProcess } from './service-process.js';
import type { Send } from './writer.js';

/** `npm run faults` sets more. */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 2);
const WRITERS = 8;

let project: Project;
let receiver: Receiver;
let service: ServiceProcess | undefined;
beforeAll(async () => {
  receiver = await openReceiver();
  project = makeProject();
  const events = ['entry.create', 'entry.update', 'entry.delete'];
  const webhooks = [{ name: 'faults', url: receiver.url, events, contentTypes: ['api::node.node'] }];
  fs.mkdirSync(path.join(project.folder, 'config'));
  fs.writeFileSync(path.join(project.folder, 'config', 'webhooks.json'), JSON.stringify({ webhooks }));
});
afterAll(async () => {
  await service?.kill('both').catch(() => undefined);
  await receiver.close();
  project.remove();
});

/** A write of an entry, as it was sent. */
interface Written {
  readonly event: string;
  readonly label: string;
  acknowledged: boolean;
}

/** Writes entries of its own, one after the other, until a write is not acknowledged. */
async function write(name: string, send: Send, entries: Map<number, Written[]>, countOne: () => void): Promise<void> {
  for (let count = 0; ; count += 1) {
    const label = `${name} ${count}`;
    const created = await send('POST', '/api/nodes', { label });
    if (created.status !== 200) return;
    const { id } = created.body.data as { readonly id: number };
    const writes: Written[] = [{ event: 'entry.create', label, acknowledged: true }];
    entries.set(id, writes);
    countOne();
    for (const change of ['a', 'b', 'c']) {
      const update: Written = { event: 'entry.update', label: `${label} ${change}`, acknowledged: false };
      writes.push(update);
      // One of them is a write to several documents.
      const links = change === 'b' ? { peers: [id] } : {};
      const { status } = await send('PUT', `/api/nodes/${id}`, { label: update.label, ...links });
      if (status !== 200) return;
      update.acknowledged = true;
      countOne();
    }
    if (count % 2 === 0) continue;
    const removal: Written = { event: 'entry.delete', label: `${label} c`, acknowledged: false };
    writes.push(removal);
    const { status } = await send('DELETE', `/api/nodes/${id}`);
    if (status !== 200) return;
    removal.acknowledged = true;
  }
}

const random = randomOf(0);
const unreliable = (): Answered => {
  const chance = random();
  return chance < 0.6 ? 200 : chance < 0.9 ? 500 : chance < 0.98 ? 'cut off' : 'silence';
};

const textOf = ({ event, label }: Pick<Written, 'event' | 'label'>): string => `${event} ${label}`;

/** The deliveries that the receiver has accepted for each entry, without repetitions. */
function acceptedByEntry(): ReadonlyMap<number, readonly string[]> {
  const accepted = new Map<number, string[]>();
  for (const { body, answered } of receiver.arrivals) {
    if (answered !== 200) continue;
    const { id, label } = body.entry as { readonly id: number; readonly label?: string };
    const seen = accepted.get(id) ?? [];
    accepted.set(id, seen);
    const text = textOf({ event: body.event as string, label: label ?? '' });
    if (!seen.includes(text)) seen.push(text);
  }
  return accepted;
}

const acknowledgedOf = (writes: readonly Written[]): readonly string[] =>
  writes.filter(({ acknowledged }) => acknowledged).map(textOf);

const settings = { WEBHOOK_PRIVATE_NETWORKS: 'true', EVENTS: 'true' };

/** Follows the feed until the service dies. */
async function followUntilEnd({ follow }: Follower, url: string): Promise<void> {
  try {
    for (;;) await follow(url);
  } catch {
    // It continues with the next one.
  }
}

/** The label of each entry that is there, by its id. */
async function readAll(send: Send): Promise<ReadonlyMap<number, string>> {
  const all = new Map<number, string>();
  for (let after = ''; ;) {
    const { body } = await send('GET', `/api/nodes?fields=label&pagination[pageSize]=100&pagination[after]=${after}`);
    const { data, meta } = body as unknown as {
      readonly data: readonly { readonly id: number; readonly attributes: { readonly label: string } }[];
      readonly meta: { readonly pagination: { readonly next: string | null } };
    };
    for (const { id, attributes } of data) all.set(id, attributes.label);
    if (meta.pagination.next === null) return all;
    after = meta.pagination.next;
  }
}

test(`every acknowledged write reaches a receiver that fails, in order, when the service is killed ${ROUNDS} times`, async () => {
  const entries = new Map<number, Written[]>();
  const follower = createFollower(project.token);
  for (let round = 0; round < ROUNDS; round += 1) {
    receiver.answer(unreliable);
    const running = await startService(project, settings);
    service = running;
    await follower.follow(running.url);
    const following = followUntilEnd(follower, running.url);
    const { send } = sendTo(running.url, project.token);
    const { enough, countOne } = countDown(2 * WRITERS);
    const writers = Array.from({ length: WRITERS }, (_, index) => write(`${round}.${index}`, send, entries, countOne));
    const writing = Promise.allSettled(writers);
    await Promise.race([enough, writing]);
    await receiver.arrived(receiver.arrivals.length + 10);
    await wait(random() * 1500);
    await running.kill(round % 2 === 0 ? 'service' : 'both');
    await Promise.all([writing, following]);
    if (round % 2 === 0) await running.kill('both').catch(() => undefined);
  }
  receiver.answer(200);
  service = await startService(project, settings);
  const missing = (): readonly string[] => {
    const accepted = acceptedByEntry();
    return [...entries].flatMap(([id, writes]) =>
      acknowledgedOf(writes).filter((text) => accepted.get(id)?.includes(text) !== true),
    );
  };
  while (missing().length > 0) await receiver.arrived(receiver.arrivals.length + 1);
  await expectCopies(follower, service.url, entries);
  await service.stop();
  service = undefined;
  const accepted = acceptedByEntry();
  for (const [id, writes] of entries) {
    const order = acknowledgedOf(writes);
    expect(accepted.get(id)?.filter((text) => order.includes(text))).toEqual(order);
    // A write that was not acknowledged may have been done; its entry is read when it is sent.
    const sent = new Set(
      writes.flatMap(({ event, label }) => [textOf({ event, label }), textOf({ event, label: '' })]),
    );
    const labels = new Set(writes.map(({ label }) => textOf({ event: 'entry.update', label })));
    expect(accepted.get(id)?.filter((text) => !sent.has(text) && !labels.has(text))).toEqual([]);
  }
  expect([...entries.values()].flatMap(acknowledgedOf).length).toBeGreaterThan(ROUNDS * WRITERS);
});

/** From any position, the feed leads to the current data; it has reported each entry, and no change twice. */
async function expectCopies(
  follower: Follower,
  url: string,
  entries: ReadonlyMap<number, readonly Written[]>,
): Promise<void> {
  const present = await readAll(sendTo(url, project.token).send);
  const sorted = (copy: ReadonlyMap<number, string>) => [...copy].toSorted(([a], [b]) => a - b);
  // Writes that were cut off have events once recovery has found out what became of them.
  let latest = await follower.follow(url);
  while (!isDeepStrictEqual(sorted(latest.entries), sorted(present))) latest = await follower.follow(url);
  const { changes, copies } = follower;
  for (const part of [0, 1 / 3, 2 / 3]) {
    const { entries: copy } = await follower.follow(url, copies[Math.floor(part * copies.length)]);
    expect(sorted(copy)).toEqual(sorted(present));
  }
  const reported = new Set(changes.map(({ id }) => id));
  expect([...entries.keys()].filter((id) => present.has(id) && !reported.has(id))).toEqual([]);
  const texts = changes.map(({ id, event, createdAt, entry }) => JSON.stringify([id, event, createdAt, entry]));
  expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
}
