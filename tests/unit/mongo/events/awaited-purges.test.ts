import { EventEmitter } from 'node:events';
import { expect, test } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { createAwaitedPurges } from '../../../../src/mongo/events/awaited-purges.js';

const LONG_MS = 600_000;

/** Purges of which the test decides when a cache accepts them. */
function usePurges() {
  const stored = new Set<ObjectId>();
  const looks: (readonly ObjectId[])[] = [];
  let isAway = false;
  const awaited = createAwaitedPurges(async (ids) => {
    looks.push(ids);
    if (isAway) throw new Error('away');
    return ids.filter((id) => [...stored].some((other) => other.equals(id)));
  });
  return {
    awaited,
    looks,
    store: (): ObjectId => {
      const id = new ObjectId();
      stored.add(id);
      return id;
    },
    accept: (id: ObjectId): void => void stored.delete(id),
    setAway: (away: boolean): void => {
      isAway = away;
    },
    /** Resolves after so many more looks. */
    looked: async (more: number): Promise<void> => {
      for (const end = looks.length + more; looks.length < end;) await new Promise(setImmediate);
    },
  };
}

test('each request waits for its own purges, with one look for all of them', async () => {
  const { awaited, looks, store, accept, looked } = usePurges();
  const [first, second] = [store(), store()];
  const ended: string[] = [];
  const waits = [
    awaited.done([first], LONG_MS).then((isDone) => ended.push(`first ${isDone}`)),
    ...Array.from({ length: 20 }, () =>
      awaited.done([second], LONG_MS).then((isDone) => ended.push(`second ${isDone}`)),
    ),
  ];
  await looked(2);
  expect(looks.every((ids) => ids.length <= 2)).toBe(true);
  accept(second);
  await Promise.all(waits.slice(1));
  expect(ended).toEqual(Array(20).fill('second true'));
  accept(first);
  await waits[0];
  expect(ended.at(-1)).toBe('first true');
});

test('a wait ends with its time, or with its client', async () => {
  const { awaited, store } = usePurges();
  expect(await awaited.done([store()], 0)).toBe(false);
  const response = new EventEmitter();
  const waiting = awaited.done([store()], LONG_MS, response);
  response.emit('close');
  expect(await waiting).toBe(false);
  expect(response.listenerCount('close')).toBe(0);
});

test('purges are not done because the database is away', async () => {
  const { awaited, store, accept, setAway, looked } = usePurges();
  const purge = store();
  setAway(true);
  let isDone: boolean | undefined;
  const waiting = awaited.done([purge], LONG_MS).then((result) => (isDone = result));
  await looked(2);
  expect(isDone).toBeUndefined();
  accept(purge);
  setAway(false);
  expect(await waiting).toBe(true);
});

test('what a request stores is noted for it alone', async () => {
  const { awaited, store } = usePurges();
  const request = async (): Promise<readonly [ObjectId, readonly ObjectId[]]> => {
    await new Promise(setImmediate);
    const purge = store();
    awaited.note([purge]);
    await new Promise(setImmediate);
    return [purge, awaited.noted()];
  };
  const responses = [new EventEmitter(), new EventEmitter()];
  const results = await Promise.all(responses.map((response) => awaited.run(response, request)));
  for (const [purge, noted] of results) expect(noted).toEqual([purge]);
  for (const response of responses) response.emit('close');
  awaited.note([store()]);
  expect(awaited.noted()).toEqual([]);
});
