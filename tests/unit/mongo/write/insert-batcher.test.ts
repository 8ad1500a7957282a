import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Db, MongoNetworkError } from 'mongodb';
import type { UnstoredEvent } from '../../../../src/mongo/events/stored-events.js';
import { createInsertBatcher } from '../../../../src/mongo/write/insert-batcher.js';
import { canInsertTogether } from '../../../../src/mongo/write/insert-together.js';

/** What was sent and what events were told of it, in order. */
let steps: string[] = [];
beforeEach(() => {
  steps = [];
});

interface Bulk {
  readonly ops: readonly { readonly insert: number; readonly document: { readonly _id: number | string } }[];
  readonly nsInfo: readonly { readonly ns: string }[];
}

const done = { nErrors: 0, cursor: { firstBatch: [] } };

/** @param bulk the reply to each bulk */
const databaseWith = (bulk: () => Promise<object> = () => Promise.resolve(done)): Db =>
  ({
    databaseName: 'db',
    collection: () => ({
      insertMany: (entries: readonly { _id: number }[]) => {
        steps.push(`entries ${entries.map(({ _id }) => _id).join(' ')}`);
        return Promise.resolve();
      },
      insertOne: ({ _id }: { _id: number }) => Promise.reject(new Error(`${_id} is taken`)),
    }),
    client: {
      db: () => ({
        command: ({ ops, nsInfo }: Bulk) => {
          steps.push(ops.map(({ insert, document }) => `${nsInfo[insert]?.ns} ${document._id}`).join(', '));
          return bulk();
        },
      }),
    },
  }) as unknown as Db;

const logWith = (isJoined: boolean, insert = (): Promise<void> => Promise.resolve()) => ({
  isJoined: () => isJoined,
  insert: (documents: readonly { readonly _id: unknown }[]) => {
    steps.push(`events ${documents.map(({ _id }) => String(_id)).join(' ')}`);
    return insert();
  },
});

const event =
  (id: number, isValid = true) =>
  (): Promise<UnstoredEvent> =>
    Promise.resolve({
      document: { _id: `e${id}` },
      isValid: () => isValid,
      end: (isAnswered: boolean) => steps.push(`${id} ${isAnswered ? 'answered' : 'open'}`),
    } as unknown as UnstoredEvent);

const outcomes = async (inserts: readonly Promise<void>[]): Promise<readonly unknown[]> =>
  (await Promise.allSettled(inserts)).map((outcome) =>
    outcome.status === 'rejected' ? outcome.reason.message : 'done',
  );

describe('in two commands', () => {
  test('events are recorded before the entries that share a command', async () => {
    const insert = createInsertBatcher(databaseWith(), 5000, logWith(false));
    await Promise.all([10, 11].map((_id) => insert('tags', { _id }, event(_id))));
    await insert('tags', { _id: 12 });
    expect(steps).toEqual(['events e10 e11', '10 answered', '11 answered', 'entries 10 11', 'entries 12']);
  });

  test('no entry is inserted if its event is not recorded, or readers may have passed its position', async () => {
    const failing = createInsertBatcher(
      databaseWith(),
      5000,
      logWith(false, () => Promise.reject(new Error('lost'))),
    );
    const insert = createInsertBatcher(databaseWith(), 5000, logWith(false));
    const inserts = [failing('tags', { _id: 10 }, event(10)), insert('tags', { _id: 11 }, event(11, false))];
    expect(await outcomes(inserts)).toEqual(['lost', expect.stringContaining('does not answer')]);
    expect(steps.toSorted()).toEqual(['10 open', '11 open', 'events e10']);
  });
});

describe('in one command', () => {
  /** Two events and two entries: the second entry. */
  const refused = { nErrors: 1, cursor: { firstBatch: [{ ok: 0, idx: 3, code: 11_000 }] } };

  test('all events precede the entries', async () => {
    const insert = createInsertBatcher(databaseWith(), 5000, logWith(true));
    await Promise.all([10, 11].map((_id) => insert('tags', { _id }, event(_id))));
    expect(steps).toEqual(['db._events e10, db._events e11, db.tags 10, db.tags 11', '10 answered', '11 answered']);
  });

  test('a refused entry does not stop the others', async () => {
    const insert = createInsertBatcher(
      databaseWith(() => Promise.resolve(refused)),
      5000,
      logWith(true),
    );
    const inserts = [10, 11].map((_id) => insert('tags', { _id }, event(_id)));
    expect(await outcomes(inserts)).toEqual(['done', '11 is taken']);
    expect(steps.slice(1)).toEqual(['10 answered', '11 answered']);
  });

  test('without a write concern the others are not acknowledged', async () => {
    const reply = { ...refused, writeConcernError: { code: 91 } };
    const insert = createInsertBatcher(
      databaseWith(() => Promise.resolve(reply)),
      5000,
      logWith(true),
    );
    const inserts = [10, 11].map((_id) => insert('tags', { _id }, event(_id)));
    expect(await outcomes(inserts)).toEqual([expect.stringContaining('does not answer'), '11 is taken']);
  });

  test('after an error readers wait for the events', async () => {
    const lost = (): Promise<object> => Promise.reject(new MongoNetworkError('lost'));
    const insert = createInsertBatcher(databaseWith(lost), 5000, logWith(true));
    expect(await outcomes([insert('tags', { _id: 10 }, event(10))])).toEqual(['lost']);
    expect(steps.slice(1)).toEqual(['10 open']);
  });

  test('what is too large for one command takes two', async () => {
    const insert = createInsertBatcher(databaseWith(), 5000, logWith(true));
    const text = 'x'.repeat(8_000_000);
    await Promise.all([10, 11].map((_id) => insert('tags', { _id, text }, event(_id))));
    expect(steps).toEqual(['events e10 e11', '10 answered', '11 answered', 'entries 10 11']);
  });

  test('nothing is sent if readers may have passed a position', async () => {
    const insert = createInsertBatcher(databaseWith(), 5000, logWith(true));
    expect(await outcomes([insert('tags', { _id: 10 }, event(10, false))])).toEqual([
      expect.stringContaining('does not answer'),
    ]);
    expect(steps).toEqual(['10 open']);
  });
});

describe('one command is used', () => {
  const database = (hello: object, bulk: () => Promise<object>): Db =>
    ({
      databaseName: 'db',
      command: () => Promise.resolve(hello),
      client: { db: () => ({ command: bulk }) },
    }) as unknown as Db;
  const accept = (): Promise<object> => Promise.resolve(done);
  const refuse = (): Promise<object> => Promise.reject(new Error('not authorized'));

  test.each([
    ['from MongoDB 8 on', { maxWireVersion: 25 }, accept, true],
    ['not by earlier versions', { maxWireVersion: 21 }, accept, false],
    ['not through a router', { maxWireVersion: 25, msg: 'isdbgrid' }, accept, false],
    ['not on a replica set', { maxWireVersion: 25, setName: 'rs' }, accept, false],
    ['not without the permission', { maxWireVersion: 25 }, refuse, false],
  ])('%s', async (_, hello, bulk, expected) => {
    expect(await canInsertTogether(database(hello, bulk), '_events')).toBe(expected);
  });
});
