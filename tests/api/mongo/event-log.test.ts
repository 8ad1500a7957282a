import { expect, test } from '@jest/globals';
import { openEventLog, type EventLog } from '../../../src/mongo/events/event-log.js';
import type { NewEvent } from '../../../src/mongo/events/stored-events.js';
import type { ContentType } from '../../../src/content-types/model/types.js';
import { EventTail } from '../../../src/mongo/events/event-tail.js';
import { openCounters } from '../../../src/mongo/write/counters.js';
import { useService } from '../../support/service.js';

const client = useService();

/** The log as a process of its own sees it, on an empty sequence. */
async function openLog(options: Parameters<typeof openEventLog>[2] = {}): Promise<EventLog> {
  const { db } = client.service.database;
  const log = openEventLog(db, openCounters(db), options);
  await log.turnOn();
  return log;
}
const change = (id: number, more: Partial<NewEvent> = {}): NewEvent => ({
  type: client.service.registry.contentTypes.get('api::author.author') as ContentType,
  id,
  action: 'update',
  names: [],
  ...more,
});
const readAll = async (log: EventLog, after: number) => log.read(after, await log.horizon(), 1000);

test('readers do not pass an event that is being written, in whatever order writes end', async () => {
  const [one, other] = [await openLog(), await openLog()];
  const start = await one.horizon();
  const slow = await one.open(change(1));
  const refused = await other.open(change(2));
  const fast = await other.open(change(3));
  await fast.confirm();
  await fast.complete('{"id":3}');
  expect(await readAll(one, start)).toEqual([]);
  await refused.discard();
  await slow.complete(undefined);
  const events = await readAll(other, start);
  expect(events.map(({ id, entry }) => [id, entry])).toEqual([
    [3, '{"id":3}'],
    [1, undefined],
  ]);
});

test('readers do not pass the position of a creation before it is recorded', async () => {
  const { db } = client.service.database;
  const counters = openCounters(db);
  const reader = await openLog();
  const start = await reader.horizon();
  const seen: number[] = [];
  const reserve: typeof counters.reserve = async (...request) => {
    const reserved = await counters.reserve(...request);
    seen.push(await reader.horizon());
    return reserved;
  };
  const log = openEventLog(db, { ...counters, reserve });
  await log.turnOn();
  const event = await log.open(change(1, { action: 'create' }));
  await event.complete(undefined);
  expect(seen).toEqual([start]);
  expect((await readAll(reader, start)).map(({ id }) => id)).toEqual([1]);
});

test('a reader may resume while a process that has not seen its position writes', async () => {
  const [idle, other] = [await openLog(), await openLog()];
  await (await other.open(change(1))).complete(undefined);
  const position = await other.horizon();
  const slow = await idle.open(change(2));
  const tail = new EventTail(other);
  await expect(tail.check(position)).resolves.toBeUndefined();
  await expect(tail.check(position + 1000)).rejects.toMatchObject({ code: 'gone' });
  await slow.discard();
});

test.each(['create', 'update', 'delete'] as const)(
  'readers that have waited for a %s go on without it, and receive it when it is done',
  async (action) => {
    const [log, reader] = [await openLog(), await openLog({ longestWait: 0 })];
    const start = await log.horizon();
    const slow = await log.open(change(1, { action, entry: '{"id":1}' }));
    await slow.confirm();
    await (await log.open(change(2))).complete(undefined);
    expect(await readAll(log, start)).toEqual([]);
    const before = await readAll(reader, start);
    expect(before.map(({ id }) => id)).toEqual([2]);
    await slow.complete('{"id":1}');
    const after = await readAll(reader, before.at(-1)?.position ?? start);
    // Writes that follow it may have been told by now: who reads it, reads the entry as it is.
    expect(after.map(({ id, entry }) => [id, entry])).toEqual([[1, action === 'delete' ? '{"id":1}' : undefined]]);
    expect((await readAll(reader, start)).map(({ id }) => id)).toEqual([2, 1]);
  },
);

test('readers that have waited for an event go on without all that are as old', async () => {
  const [log, reader] = [await openLog(), await openLog({ longestWait: 0 })];
  const start = await log.horizon();
  const slow = await Promise.all([1, 2, 3].map((id) => log.open(change(id))));
  await (await log.open(change(4))).complete(undefined);
  expect((await readAll(reader, start)).map(({ id }) => id)).toEqual([4]);
  for (const event of slow) await event.complete(undefined);
  expect((await readAll(reader, start)).map(({ id }) => id)).toEqual([4, 1, 2, 3]);
});

test('a reader that follows two processes receives each event once, in order', async () => {
  const logs = [await openLog(), await openLog()];
  const reader = await openLog();
  const start = await reader.horizon();
  const ids = Array.from({ length: 120 }, (_, index) => index + 1);
  const received: number[] = [];
  let after = start;
  const readOn = async (): Promise<void> => {
    for (const { position, id } of await readAll(reader, after)) {
      expect(position).toBeGreaterThan(after);
      after = position;
      received.push(id);
    }
  };
  const writing = Promise.all(
    ids.map(async (id) => {
      const event = await logs[id % 2]?.open(change(id, id % 3 === 0 ? { action: 'create' } : {}));
      if (id % 5 === 0) return event?.discard();
      await event?.confirm();
      return event?.complete(undefined);
    }),
  );
  const expected = ids.filter((id) => id % 5 !== 0);
  while (received.length < expected.length) await readOn();
  await writing;
  await readOn();
  expect(received.toSorted((a, b) => a - b)).toEqual(expected);
});

test('recovery completes the events of writes that were done, and discards the others', async () => {
  const { registry } = client.service;
  const log = await openLog();
  const start = await log.horizon();
  const id = await client.create('authors', { name: 'Anna' });
  const { updatedAt } = (await client.get(`/api/authors/${id}`)).body.data.attributes;
  await log.open(change(id, { action: 'create' }));
  await log.open(change(9998, { action: 'create' }));
  await log.open(change(id, { written: new Date(updatedAt) }));
  await log.open(change(id, { written: new Date(0) }));
  await log.open(change(id, { action: 'delete' }));
  await log.open(change(9999, { action: 'delete' }));
  expect(await log.recover(registry, 60_000)).toBe(0);
  expect(await readAll(log, start)).toEqual([]);
  expect(await log.recover(registry, 0)).toBe(6);
  const events = await readAll(log, start);
  expect(events.map(({ action, id: entry }) => [action, entry])).toEqual([
    ['create', id],
    ['update', id],
    ['delete', 9999],
  ]);
});

test('a process that slept records an event again that recovery discarded', async () => {
  const log = await openLog();
  const start = await log.horizon();
  const event = await log.open(change(9999, { written: new Date() }));
  await log.recover(client.service.registry, 0);
  await event.complete('{"id":9999}');
  expect(await readAll(log, start)).toMatchObject([{ id: 9999, entry: '{"id":9999}' }]);
});

test('the oldest events are deleted by number and by time', async () => {
  const log = await openLog();
  const start = await log.horizon();
  for (const id of [1, 2, 3]) await (await log.open(change(id))).complete(undefined);
  await log.prune({ number: 2, milliseconds: 60_000 });
  expect((await readAll(log, start)).map(({ id }) => id)).toEqual([2, 3]);
  await log.prune({ number: 2, milliseconds: -1 });
  expect(await readAll(log, start)).toEqual([]);
});

test('events that are too large for one command together are recorded', async () => {
  const log = await openLog();
  const start = await log.horizon();
  const ids = Array.from({ length: 20 }, (_, index) => index + 1);
  const entry = 'ä'.repeat(500_000);
  await Promise.all(
    ids.map(async (id) => {
      const event = await log.open(change(id, { action: 'create', entry }));
      await event.complete(undefined);
    }),
  );
  expect((await readAll(log, start)).map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(ids);
});
