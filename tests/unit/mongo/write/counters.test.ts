import { describe, expect, test } from '@jest/globals';
import type { Db } from 'mongodb';
import { openCounters } from '../../../../src/mongo/write/counters.js';

type Numbers = Readonly<Record<'id' | 'rank', number>>;
type Increase = { readonly $inc: Numbers };

/** A collection of counters in memory; `commands` says which counter each command was on. */
function countersInMemory(): {
  readonly db: Db;
  readonly commands: string[];
  readonly stored: Map<string, Record<string, number>>;
} {
  const commands: string[] = [];
  const stored = new Map<string, Record<string, number>>();
  const collection = {
    findOneAndUpdate: ({ _id }: { _id: string }, { $inc }: Increase) => {
      commands.push(_id);
      const { id = 0, rank = 0 } = stored.get(_id) ?? {};
      const raised = { id: id + $inc.id, rank: rank + $inc.rank };
      stored.set(_id, raised);
      return Promise.resolve({ _id, ...raised });
    },
    updateOne: (filter: { _id: string; id?: number }, update: { $max?: { id: number }; $inc?: { id: number } }) => {
      const { _id } = filter;
      commands.push(_id);
      const { id = 0, ...rest } = stored.get(_id) ?? {};
      if (filter.id !== undefined && filter.id !== id) return Promise.resolve();
      stored.set(_id, { ...rest, id: Math.max(id, update.$max?.id ?? 0) + (update.$inc?.id ?? 0) });
      return Promise.resolve();
    },
  };
  const bulkWrite = async (updates: { updateOne: { filter: { _id: string }; update: { $max: Numbers } } }[]) => {
    for (const { updateOne } of updates) {
      const { id = 0, rank = 0 } = stored.get(updateOne.filter._id) ?? {};
      const { $max } = updateOne.update;
      stored.set(updateOne.filter._id, { id: Math.max(id, $max.id), rank: Math.max(rank, $max.rank) });
    }
  };
  const db = { writeConcern: { w: 1 }, collection: () => ({ ...collection, bulkWrite }) };
  return { db: db as unknown as Db, commands, stored };
}

describe('ids', () => {
  test('start at 1 and are consecutive, independent of ranks', async () => {
    const counters = openCounters(countersInMemory().db);
    expect(await counters.reserve('api::tag.tag', { ids: 1, ranks: 2 })).toEqual({ id: 1, rank: 1 });
    expect(await counters.reserve('api::tag.tag', { ids: 1, ranks: 0 })).toEqual({ id: 2, rank: 3 });
    expect(await counters.reserve('api::tag.tag', { ids: 1, ranks: 1 })).toEqual({ id: 3, rank: 3 });
  });

  test('are counted per type', async () => {
    const counters = openCounters(countersInMemory().db);
    await counters.reserve('api::tag.tag', { ids: 5, ranks: 0 });
    expect(await counters.reserve('api::author.author', { ids: 1, ranks: 0 })).toEqual({ id: 1, rank: 1 });
  });

  test('of concurrent creates take one command and are unique', async () => {
    const { db, commands } = countersInMemory();
    const counters = openCounters(db);
    const reserved = await Promise.all([3, 1, 2].map((ids) => counters.reserve('api::tag.tag', { ids, ranks: 1 })));
    expect(reserved).toEqual([
      { id: 1, rank: 1 },
      { id: 4, rank: 2 },
      { id: 5, rank: 3 },
    ]);
    expect(commands).toEqual(['api::tag.tag']);
  });

  test('that are unused are reused, but never below a higher one', async () => {
    const counters = openCounters(countersInMemory().db);
    const reserve = async (): Promise<number> => (await counters.reserve('api::tag.tag', { ids: 1, ranks: 0 })).id;
    expect([await reserve(), await reserve()]).toEqual([1, 2]);
    await counters.release('api::tag.tag', 2);
    expect(await reserve()).toBe(2);
    await counters.release('api::tag.tag', 1);
    expect(await reserve()).toBe(3);
  });

  test('continue above the value set by an import', async () => {
    const counters = openCounters(countersInMemory().db);
    await counters.raise('api::tag.tag', 40);
    expect((await counters.reserve('api::tag.tag', { ids: 1, ranks: 0 })).id).toBe(41);
    await counters.raise('api::tag.tag', 7);
    expect((await counters.reserve('api::tag.tag', { ids: 1, ranks: 0 })).id).toBe(42);
  });
});

describe('after a crash of the database, which forgets numbers that were not flushed', () => {
  const type = 'api::tag.tag';

  test('reserved numbers are not reserved again', async () => {
    const { db, stored } = countersInMemory();
    let lost = 0;
    const counters = openCounters(db, () => lost);
    await counters.reserve(type, { ids: 3, ranks: 2 });
    stored.set(type, { id: 1, rank: 0 });
    lost += 1;
    expect(await counters.reserve(type, { ids: 1, ranks: 1 })).toEqual({ id: 4, rank: 3 });
  });

  test('a crash while numbers are reserved is noticed', async () => {
    const { db, stored } = countersInMemory();
    let lost = 0;
    const counters = openCounters(db, () => lost);
    await counters.reserve(type, { ids: 3, ranks: 2 });
    const reserving = counters.reserve(type, { ids: 1, ranks: 1 });
    stored.set(type, { id: 1, rank: 0 });
    lost += 1;
    expect(await reserving).toEqual({ id: 4, rank: 3 });
  });

  test('reserved numbers are stored again before a write with them is acknowledged', async () => {
    const { db, stored } = countersInMemory();
    let lost = 0;
    const counters = openCounters(db, () => lost);
    await counters.reserve(type, { ids: 3, ranks: 2 });
    stored.clear();
    await counters.restore();
    expect(stored.size).toBe(0);
    lost += 1;
    await counters.restore();
    expect(stored.get(type)).toEqual({ id: 3, rank: 2 });
  });
});
