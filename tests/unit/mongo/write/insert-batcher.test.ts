import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Db, MongoClientBulkWriteError, MongoNetworkError, ObjectId } from 'mongodb';
import type { UnstoredEvent } from '../../../../src/mongo/events/stored-events.js';
import { createInsertBatcher } from '../../../../src/mongo/write/insert-batcher.js';
import { canInsertTogether } from '../../../../src/mongo/write/insert-together.js';

/** What was sent and what events were told of it, in order. */
let steps: string[] = [];
beforeEach(() => {
  steps = [];
});

interface Inserted {
  readonly namespace: string;
  readonly document: { readonly _id: number | string };
}

/** @param bulk the outcome of each bulk */
const databaseWith = (bulk: () => Promise<unknown> = () => Promise.resolve()): Db =>
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
      bulkWrite: (inserted: readonly Inserted[]) => {
        steps.push(inserted.map(({ namespace, document }) => `${namespace} ${document._id}`).join(', '));
        return bulk();
      },
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
  const refused = (): MongoClientBulkWriteError => {
    const error = new MongoClientBulkWriteError({ message: 'refused' });
    // Two events and two entries: the second entry.
    error.writeErrors = new Map([[3, { code: 11_000, message: 'twice' }]]);
    error.writeConcernErrors = [];
    return error;
  };

  test('all events precede the entries', async () => {
    const insert = createInsertBatcher(databaseWith(), 5000, logWith(true));
    await Promise.all([10, 11].map((_id) => insert('tags', { _id }, event(_id))));
    expect(steps).toEqual(['db._events e10, db._events e11, db.tags 10, db.tags 11', '10 answered', '11 answered']);
  });

  test('a refused entry does not stop the others', async () => {
    const insert = createInsertBatcher(
      databaseWith(() => Promise.reject(refused())),
      5000,
      logWith(true),
    );
    const inserts = [10, 11].map((_id) => insert('tags', { _id }, event(_id)));
    expect(await outcomes(inserts)).toEqual(['done', '11 is taken']);
    expect(steps.slice(1)).toEqual(['10 answered', '11 answered']);
  });

  test('without a write concern the others are not acknowledged', async () => {
    const error = Object.assign(refused(), { writeConcernErrors: [{ code: 91 }] });
    const insert = createInsertBatcher(
      databaseWith(() => Promise.reject(error)),
      5000,
      logWith(true),
    );
    const inserts = [10, 11].map((_id) => insert('tags', { _id }, event(_id)));
    expect(await outcomes(inserts)).toEqual([expect.stringContaining('does not answer'), '11 is taken']);
  });

  test.each([
    ['of the network', new MongoNetworkError('lost')],
    ['of the command', Object.assign(new MongoClientBulkWriteError({ message: '' }), { cause: new Error('lost') })],
  ])('after an error %s readers wait for the events', async (_, error) => {
    const insert = createInsertBatcher(
      databaseWith(() => Promise.reject(error)),
      5000,
      logWith(true),
    );
    expect(await outcomes([insert('tags', { _id: 10 }, event(10))])).toEqual(['lost']);
    expect(steps.slice(1)).toEqual(['10 open']);
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
  const database = (hello: object, bulkWrite: () => Promise<void>): Db =>
    ({ databaseName: 'db', command: () => Promise.resolve(hello), client: { bulkWrite } }) as unknown as Db;
  const accept = (): Promise<void> => Promise.resolve();
  const refuse = (): Promise<void> => Promise.reject(new Error(`not authorised ${new ObjectId().toString()}`));

  test.each([
    ['from MongoDB 8 on', { maxWireVersion: 25 }, accept, true],
    ['not by earlier versions', { maxWireVersion: 21 }, accept, false],
    ['not through a router', { maxWireVersion: 25, msg: 'isdbgrid' }, accept, false],
    ['not without the permission', { maxWireVersion: 25 }, refuse, false],
  ])('%s', async (_, hello, bulkWrite, expected) => {
    expect(await canInsertTogether(database(hello, bulkWrite), '_events')).toBe(expected);
  });
});
