import { createHmac } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import request from 'supertest';
import { openEventLog } from '../../../../src/mongo/events/event-log.js';
import type { LoggedEvent } from '../../../../src/mongo/events/logged-events.js';
import { WebhookRecords, type Delivery, type StoredWebhook } from '../../../../src/mongo/events/webhook-records.js';
import { openCounters } from '../../../../src/mongo/write/counters.js';
import { Deliverer } from '../../../../src/plugins/webhooks/deliver.js';
import { createExpand } from '../../../../src/plugins/webhooks/expand-event.js';
import { openReceiver, type Receiver } from '../../../support/webhook-receiver.js';
import { useService } from '../../../support/service.js';

const allowing = { EVENTS: 'true', WEBHOOK_PRIVATE_NETWORKS: 'true', EVENTS_PUBLICATION: 'true' };
const client = useService({ environment: allowing });
const guarded = useService({ environment: { EVENTS: 'true' } });
let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
});
afterAll(async () => receiver.close());

const events = ['entry.create', 'entry.update', 'entry.delete'];
const records = ({ service }: typeof client) => new WebhookRecords(service.database.db);
const add = async (to: typeof client, more: Partial<StoredWebhook> = {}): Promise<StoredWebhook> =>
  records(to).add({ name: 'test', url: receiver.url, headers: {}, events, isEnabled: true, ...more });
/** Looks at the latest delivery until it is as expected; the pause leaves the processor to those who deliver. */
async function delivered(to: typeof client, isExpected: (delivery: object | undefined) => boolean): Promise<object> {
  for (;;) {
    const [latest] = await records(to).latest(undefined, 1);
    if (latest !== undefined && isExpected(latest)) return latest;
    await setTimeout(20);
  }
}

test('a receiver that fails gets every event again, in order for each entry, without private attributes', async () => {
  receiver.answer(500);
  await add(client, { types: ['api::author.author'], secret: 'a secret of 20 chars' });
  const id = await client.create('authors', { name: 'Anna' });
  await client.create('tags', { name: 'not for this webhook' });
  await client.put(`/api/authors/${id}`, { name: 'Anne' });
  await client.delete(`/api/authors/${id}`);
  const [first, again] = await receiver.arrived(2);
  // The others wait for it.
  expect([first?.body.event, again?.body.event]).toEqual(['entry.create', 'entry.create']);
  expect(first?.headers['x-delivery-id']).toBe(again?.headers['x-delivery-id']);
  const signed = `${String(first?.headers['x-timestamp'])}.${first?.text}`;
  const signature = createHmac('sha256', 'a secret of 20 chars').update(signed).digest('hex');
  expect(first?.headers['x-signature']).toBe(`sha256=${signature}`);
  receiver.answer(200);
  const failed = receiver.arrivals.length;
  await delivered(client, (latest) => latest !== undefined && 'status' in latest && latest.status === 200);
  const arrivals = (await receiver.arrived(failed + 3)).slice(-3);
  expect(arrivals.map(({ body }) => [body.event, body.entry.name])).toEqual([
    ['entry.create', 'Anna'],
    ['entry.update', 'Anne'],
    ['entry.delete', 'Anne'],
  ]);
  const { text } = await request(client.service.url).get('/metrics');
  expect(text).toMatch(/^webhook_deliveries_total\{outcome="failed",retry="false"\} [1-9]/m);
  expect(text).toMatch(/^webhook_deliveries_total\{outcome="failed",retry="true"\} [1-9]/m);
  expect(text).toMatch(/^webhook_deliveries_total\{outcome="delivered",retry="(?:true|false)"\} [1-9]/m);
  expect(text).toMatch(/^webhook_lag_events \d+$/m);
});

test('where it is configured, publishing and unpublishing have events of their own', async () => {
  const published = ['entry.publish', 'entry.unpublish'];
  await add(client, { name: 'publication', url: `${receiver.url}/publication`, events: published });
  const id = await client.create('articles', { title: 'Draft', publishedAt: null });
  for (const publishedAt of [new Date(), new Date(), null]) await client.put(`/api/articles/${id}`, { publishedAt });
  const here = (): readonly string[] =>
    receiver.arrivals.filter(({ path }) => path === '/publication').map(({ body }) => body.event as string);
  while (here().length < 2) await receiver.arrived(receiver.arrivals.length + 1);
  expect(here()).toEqual(published);
});

test('a webhook whose format no plugin has any more gets nothing', async () => {
  const { key } = await add(client, { name: 'of a plugin', url: `${receiver.url}/unknown`, format: '9' });
  await add(client, { name: 'of the core', url: `${receiver.url}/known` });
  await client.create('tags', { name: 'in a format' });
  const arrivedAt = (place: string): boolean => receiver.arrivals.some(({ path }) => path === place);
  while (!arrivedAt('/known')) await receiver.arrived(receiver.arrivals.length + 1);
  expect(await records(client).latest(key, 1)).toEqual([]);
});

test('a redirect is not followed', async () => {
  receiver.answer(302, { location: `${receiver.url}/elsewhere` });
  await client.create('authors', { name: 'Redirected' });
  expect(await delivered(client, (latest) => JSON.stringify(latest).includes('"status":302'))).toMatchObject({
    state: 'waiting',
  });
  expect(receiver.arrivals.filter(({ path }) => path === '/elsewhere')).toEqual([]);
  receiver.answer(200);
});

test('a receiver in a private network is refused, whatever its name resolves to', async () => {
  const { port } = new URL(receiver.url);
  await add(guarded, { url: `http://127.0.0.1:${port}/direct` });
  await add(guarded, { url: `http://localhost:${port}/by-name` });
  await add(guarded, { url: `http://[::ffff:127.0.0.1]:${port}/mapped` });
  await guarded.create('authors', { name: 'Anna' });
  const hasError = (delivery: { readonly error?: string }): boolean => delivery.error !== undefined;
  let latest = await records(guarded).latest(undefined, 3);
  while (latest.length < 3 || !latest.every(hasError)) latest = await records(guarded).latest(undefined, 3);
  expect(latest.map(({ error }) => error)).toEqual(
    Array.from({ length: 3 }, () => expect.stringContaining('private network')),
  );
  expect(receiver.arrivals.filter(({ path }) => /direct|by-name|mapped/.test(path))).toEqual([]);
});

test('a webhook that is behind by more than the log keeps is reported with the number of lost events, once', async () => {
  const { db } = client.service.database;
  const log = openEventLog(db, openCounters(db));
  // The service itself leaves it alone.
  const webhook = await add(client, { name: 'behind', isEnabled: false });
  const from = await log.horizon();
  await records(client).position(webhook.key, from);
  for (const name of ['a', 'b', 'c', 'd']) await client.create('tags', { name: `${name} behind` });
  let created: readonly LoggedEvent[] = [];
  while (created.length < 4) {
    const events = await log.read(from, await log.horizon(), 100);
    created = events.filter(({ uid }) => uid === 'api::tag.tag');
  }
  const third = created[2]?.position ?? 0;
  await db.collection('_events').updateMany({ n: { $lte: third } }, { $set: { at: new Date(0) } });
  await log.prune({ number: 1000, milliseconds: 60_000 });
  const lost: [string, number][] = [];
  const sent: string[] = [];
  const deliverer = new Deliverer({
    log,
    records: records(client),
    send: async ({ body }) => {
      sent.push(body);
      return { status: 200, milliseconds: 0 };
    },
    defaultHeaders: {},
    expand: createExpand({ ...client.service, forms: [] }),
    isActive: () => true,
    observe: () => undefined,
    reportChange: () => undefined,
    reportLost: ({ name }, events) => void lost.push([name, events]),
  });
  // A writer in between may hold back what can be read.
  while (sent.length === 0) await deliverer.deliver(webhook);
  await deliverer.deliver(webhook);
  expect(lost).toEqual([['behind', third - from]]);
  expect(sent.map((body) => JSON.parse(body).entry.name)).toEqual(['d behind']);
});

const waitingFor = (hook: string): Delivery => ({
  _id: `${hook}/1`,
  hook,
  n: 1,
  i: 0,
  key: 'api::author.author:1',
  event: 'entry.create',
  body: '{}',
  at: new Date(),
  next: new Date(),
  state: 'waiting',
  tries: 0,
});

test('pruning keeps the webhooks of other processes while the log has their events, and deletes those that are gone', async () => {
  const { db } = guarded.service.database;
  const stored = records(guarded);
  const [known, another, gone, removed] = [
    'config:known',
    'config:another',
    'config:gone',
    await add(guarded),
  ] as const;
  for (const [key, position] of [
    [known, 10],
    [another, 30],
    [gone, 10],
  ] as const)
    await stored.position(key, position);
  const keys = [known, another, gone, removed.key];
  await stored.save(keys.map((hook) => waitingFor(hook)));
  await stored.remove(removed.id);
  await stored.prune([known], 20, { number: 1000, milliseconds: 60_000 });
  const positions = await db
    .collection<{ _id: string }>('_webhook_positions')
    .find({ _id: { $in: keys } })
    .toArray();
  expect(positions.map(({ _id }) => _id).toSorted()).toEqual([another, known]);
  const kept = await db.collection('_webhook_deliveries').distinct('hook', { hook: { $in: keys } });
  expect(kept).toEqual([another, known]);
});

test('a receiver that begins to fail is reported once, and once when it is reached again', async () => {
  const webhook = await add(client, { name: 'reported', url: 'https://reported.test' });
  const stored: Delivery[] = [waitingFor(webhook.key)];
  const outcomes = [500, undefined, 200, 200];
  const reported: string[] = [];
  const deliverer = new Deliverer({
    log: { bounds: async () => ({ pruned: 0 }), horizon: async () => 0, read: async () => [] } as never,
    records: {
      position: async () => 0,
      advance: async () => undefined,
      waiting: async () => stored.map((delivery) => ({ ...delivery, state: 'waiting', next: new Date(0) })),
      save: async () => undefined,
    },
    send: async () => {
      const status = outcomes.shift();
      return { milliseconds: 0, ...(status === undefined ? { error: 'refused' } : { status }) };
    },
    defaultHeaders: {},
    expand: async () => [],
    isActive: () => true,
    observe: () => undefined,
    reportChange: ({ name }, { status, error }) => void reported.push(`${name} ${status ?? error}`),
    reportLost: () => undefined,
  });
  for (let round = 0; round < 4; round += 1) {
    deliverer.recheck();
    await deliverer.deliver(webhook);
  }
  expect(outcomes).toEqual([]);
  expect(reported).toEqual(['reported 500', 'reported 200']);
});
