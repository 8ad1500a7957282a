import { text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Db, type Document, GridFSBucket, Long, MongoServerError } from 'mongodb';
import { oldestWireVersion } from '../connection/connect.js';
import { duplicateOf, isDuplicate } from '../errors.js';
import { expectEqual } from './operator-probes.js';
import type { Probe, Use } from './probe.js';

/** Milliseconds by which the clocks of the service and the database may differ. */
const CLOCK_TOLERANCE_MS = 5000;
/** What MongoDB takes: bytes of a document and of a message, writes in a command. */
const LIMITS = { maxBsonObjectSize: 2 ** 24, maxMessageSizeBytes: 48_000_000, maxWriteBatchSize: 100_000 };
const OUT_OF_TIME = 50;

const hello = (db: Db): Promise<Document> => db.admin().command({ hello: 1 });

/** By name: how the server is set up, commands, values, indexes and files. */
const probes: Readonly<Record<string, readonly [use: Use, ask: Probe['ask']]>> = {
  'the protocol of MongoDB 7.0 or newer': [
    'start',
    async ({ db }) => {
      const [{ maxWireVersion }, { version }] = await Promise.all([hello(db), db.admin().command({ buildInfo: 1 })]);
      if (maxWireVersion < oldestWireVersion)
        throw new Error(`version ${version}, protocol ${maxWireVersion}; needed: ${oldestWireVersion}`);
      return `version ${version}`;
    },
  ],
  'a replica set or a sharded cluster': [
    'operation',
    async ({ db, isReplicated }) => {
      const { setName, hosts = [] } = await hello(db);
      if (!isReplicated)
        throw new Error('a single server: a lost disk loses acknowledged writes, and an export is not of one moment');
      return setName === undefined ? 'a sharded cluster' : `the replica set ${setName} of ${hosts.length}`;
    },
  ],
  'acknowledgement by the journal, and by the majority of a replica set': [
    'start',
    async ({ db, isReplicated }) => {
      const writeConcern = isReplicated ? ({ w: 'majority', journal: true } as const) : { w: 1, journal: true };
      await db.collection('acknowledged').insertOne({ n: 1 }, { writeConcern });
    },
  ],
  'writes that the driver repeats after a failover': [
    'operation',
    async ({ db }) => {
      const { logicalSessionTimeoutMinutes: minutes } = await hello(db);
      if (typeof minutes !== 'number') throw new Error('no sessions: a write during a failover gets 503');
    },
  ],
  'the clock of this machine': [
    'operation',
    async ({ db }) => {
      const before = Date.now();
      const pipeline = [{ $limit: 1 }, { $project: { now: '$$NOW' } }];
      const [row] = await db.collection('operators').aggregate<{ now: Date }>(pipeline).toArray();
      const difference = Math.round(Math.abs(Number(row?.now) - (before + Date.now()) / 2));
      if (difference > CLOCK_TOLERANCE_MS)
        throw new Error(`differs by ${difference} ms: schedules run at another time`);
      return `differs by ${difference} ms`;
    },
  ],
  'the limits of MongoDB': [
    'writes',
    async ({ db }) => {
      const limits = await hello(db);
      const lower = Object.entries(LIMITS).filter(([name, least]) => Number(limits[name] ?? 0) < least);
      if (lower.length > 0)
        throw new Error(lower.map(([name, least]) => `${name} ${limits[name]} instead of ${least}`).join(', '));
    },
  ],
  'findAndModify with a pipeline, and an insert if nothing matches': [
    'coordination',
    async ({ db }) => {
      const options = { upsert: true, returnDocument: 'after' } as const;
      const claims = db.collection<{ _id: string; n: number }>('claims');
      const update = [{ $set: { n: { $add: [{ $ifNull: ['$n', 0] }, 1] } } }];
      await claims.findOneAndUpdate({ _id: 'one' }, update, options);
      expectEqual(await claims.findOneAndUpdate({ _id: 'one' }, update, options), { _id: 'one', n: 2 });
      expectEqual(await claims.findOneAndDelete({ _id: 'one' }), { _id: 'one', n: 2 });
    },
  ],
  'unordered bulk writes, which go on after a refusal': [
    'writes',
    async ({ db }) => {
      const rows = db.collection<{ _id: number }>('bulk');
      const inserts = [1, 1, 2].map((_id) => ({ insertOne: { document: { _id } } }));
      const refusal = await rows.bulkWrite(inserts, { ordered: false }).catch((error: unknown) => error);
      if (!isDuplicate(refusal)) throw new Error('does not report the refused write');
      expectEqual(await rows.countDocuments(), 2);
    },
  ],
  'collections with a collation, which all commands and indexes on them have': [
    'dialects',
    async ({ db }) => {
      await db.createCollection('collated', { collation: { locale: 'en', strength: 1 } });
      const rows = db.collection<{ _id: number; name: string }>('collated');
      await rows.createIndex({ name: 1 }, { unique: true });
      await rows.insertOne({ _id: 1, name: 'zeta' });
      expectEqual(await rows.findOne({ name: 'ZÉTA' }), { _id: 1, name: 'zeta' });
      const refusal = await rows.insertOne({ _id: 2, name: 'Zeta' }).catch((error: unknown) => error);
      if (duplicateOf(refusal) === undefined) throw new Error('a unique index does not have the collation');
    },
  ],
  'the stage $merge': [
    'maintenance',
    async ({ db }) => {
      await db.collection<{ _id: number }>('unmerged').insertOne({ _id: 1 });
      await db
        .collection('unmerged')
        .aggregate([{ $merge: { into: 'merged' } }])
        .toArray();
      expectEqual(await db.collection('merged').countDocuments(), 1);
    },
  ],
  'the update $currentDate': [
    'writes',
    async ({ db }) => {
      const rows = db.collection<{ _id: number; at?: Date }>('dated');
      await rows.updateOne({ _id: 1 }, { $currentDate: { at: true } }, { upsert: true });
      expectEqual((await rows.findOne({ _id: 1 }))?.at instanceof Date, true);
    },
  ],
  'cursors of several batches': [
    'maintenance',
    async ({ db }) => {
      await db.collection('batches').insertMany([{}, {}, {}, {}, {}]);
      expectEqual((await db.collection('batches').find({}, { batchSize: 2 }).toArray()).length, 5);
    },
  ],
  distinct: [
    'coordination',
    async ({ db }) => {
      await db.collection('distinct').insertMany([{ n: 1 }, { n: 1 }]);
      expectEqual(await db.collection('distinct').distinct('n'), [1]);
    },
  ],
  'the hint $natural': [
    'speed',
    async ({ db }) => {
      await db.collection('hinted').insertOne({ n: 1 });
      const found = db.collection('hinted').find({}, { hint: { $natural: 1 } });
      expectEqual((await found.toArray()).length, 1);
    },
  ],
  'a time limit of a command': [
    'operation',
    async ({ db }) => {
      await db.collection('timed').insertOne({ n: 1 });
      const most = { $max: ['$$value', '$$this'] };
      const numbers = { $range: [0, 5000] };
      const inner = { $reduce: { input: numbers, initialValue: 0, in: most } };
      const endless = { $reduce: { input: numbers, initialValue: 0, in: { $max: [most, inner] } } };
      const slow = db.collection('timed').aggregate([{ $project: { endless } }], { maxTimeMS: 5 });
      const error = await slow.toArray().catch((thrown: unknown) => thrown);
      if (!(error instanceof MongoServerError && error.code === OUT_OF_TIME))
        throw new Error(`slow queries are not stopped${error instanceof Error ? `: ${error.message}` : ''}`);
    },
  ],
  'the stage $currentOp': [
    'operation',
    async ({ db }) => {
      const pipeline = [{ $currentOp: {} }, { $limit: 1 }, { $project: { opid: 1 } }];
      await db.client.db('admin').command({ aggregate: 1, pipeline, cursor: {} });
      return 'with killOp, a query ends when its client has left';
    },
  ],
  explain: [
    'operation',
    async ({ db }) => {
      const explain = { find: 'operators', filter: { _id: 1 } };
      const plan = await db.command({ explain, verbosity: 'executionStats' });
      if (plan['executionStats'] === undefined) throw new Error('no advice on indexes');
    },
  ],
  'reads of one moment': [
    'operation',
    async ({ client, db, isReplicated }) => {
      if (!isReplicated) throw new Error('a single server has none: an export may contain half of a write');
      await client.withSession({ snapshot: true }, (session) => db.collection('operators').findOne({}, { session }));
    },
  ],
  renameCollection: [
    'maintenance',
    async ({ db }) => {
      await db.collection('before').insertOne({ n: 1 });
      await db.collection('before').rename('after');
      expectEqual(await db.collection('after').countDocuments(), 1);
    },
  ],
  '64-bit integers, doubles and milliseconds': [
    'writes',
    async ({ db }) => {
      const row = { _id: 1, long: Long.fromString('9007199254740993'), double: 0.1, at: new Date(1_700_000_000_123) };
      const rows = db.collection<{ _id: number }>('numbers');
      await rows.insertOne(row);
      const read = await rows.findOne<Document>({ long: row.long }, { useBigInt64: true });
      expectEqual({ ...read, _id: 1 }, { ...row, long: 9_007_199_254_740_993n });
    },
  ],
  'nulls first, then numbers, then text by code points': [
    'order',
    async ({ db }) => {
      const ordered = [undefined, -1, 2, 'A', 'Z', 'a', 'ä'];
      await db.collection('ordered').insertMany(ordered.toReversed().map((n) => (n === undefined ? {} : { n })));
      const found = await db
        .collection('ordered')
        .find({}, { sort: { n: 1 } })
        .toArray();
      expectEqual(
        found.map(({ n }) => n as unknown),
        ordered,
      );
    },
  ],
  'letters beyond ASCII without case': [
    'reads',
    async ({ db }) => {
      await db.collection('letters').insertOne({ name: 'ÄRGER' });
      const filter = { name: { $regex: '^ärger$', $options: 'i' } };
      expectEqual(await db.collection('letters').countDocuments(filter), 1);
    },
  ],
  'documents of 100 levels': [
    'writes',
    async ({ db }) => {
      let deep: Document = { end: true };
      for (let level = 1; level < 100; level += 1) deep = { deep };
      await db.collection('deep').insertOne({ ...deep });
      expectEqual(await db.collection('deep').countDocuments(), 1);
    },
  ],
  'a unique index on the documents that have a value': [
    'rules',
    async ({ db }) => {
      const rows = db.collection('unique');
      const partialFilterExpression = { slug: { $exists: true } };
      await createIndex(db, 'unique', { key: { slug: 1 }, unique: true, partialFilterExpression });
      await rows.insertMany([{ slug: 'a' }, {}, {}]);
      await expectDuplicate(rows.insertOne({ slug: 'a' }), { path: 'slug', value: 'a' });
    },
  ],
  'a unique index on the elements of a list': [
    'rules',
    async ({ db }) => {
      const partialFilterExpression = { 'keys.k': { $exists: true } };
      await createIndex(db, 'elements', { key: { 'keys.k': 1 }, unique: true, partialFilterExpression });
      await db.collection('elements').insertOne({ keys: [{ k: 1 }, { k: 2 }] });
      const second = db.collection('elements').insertOne({ keys: [{ k: 2 }] });
      await expectDuplicate(second, { path: 'keys.k', value: 2 });
    },
  ],
  'an index of the documents without a field': [
    'start',
    async ({ db }) => {
      await createIndex(db, 'absent', { key: { at: -1 }, partialFilterExpression: { live: null } });
      await db.collection('absent').insertMany([{ at: 1, live: 1 }, { at: 2 }]);
      const found = await db
        .collection('absent')
        .find({ live: null }, { sort: { at: -1 } })
        .toArray();
      expectEqual(
        found.map(({ at }) => at as unknown),
        [2],
      );
    },
  ],
  'a sparse index': ['coordination', ({ db }) => createIndex(db, 'sparse', { key: { 'list.r': 1 }, sparse: true })],
  'an index of several fields': ['start', ({ db }) => createIndex(db, 'fields', { key: { a: 1, b: -1, _id: 1 } })],
  'a list of the indexes': [
    'start',
    async ({ db }) => {
      await createIndex(db, 'listed', { key: { a: 1 } });
      const names = (await db.collection('listed').listIndexes().toArray()).map(({ name }) => name as unknown);
      expectEqual(names, ['_id_', 'cs_probe']);
      await db.collection('listed').dropIndex('cs_probe');
      expectEqual((await db.listCollections({ name: 'listed' }, { nameOnly: true }).toArray()).length, 1);
    },
  ],
  GridFS: [
    'files',
    async ({ db }) => {
      const bucket = new GridFSBucket(db, { bucketName: 'files' });
      const upload = bucket.openUploadStream('probe');
      await pipeline(Readable.from([Buffer.alloc(300_000, 'a'), Buffer.from('end')]), upload);
      expectEqual(await text(bucket.openDownloadStream(upload.id, { start: 299_999, end: 300_003 })), 'aend');
      await bucket.delete(upload.id);
    },
  ],
};

/** A probe for each feature beside the operators. */
export const featureProbes: readonly Probe[] = Object.entries(probes).map(([name, [use, ask]]) => ({ name, use, ask }));

async function createIndex(db: Db, collection: string, index: Document): Promise<void> {
  await db.command({ createIndexes: collection, indexes: [{ name: 'cs_probe', ...index }] });
}

/** @throws Error unless the write is refused, with the index and the value */
async function expectDuplicate(write: Promise<unknown>, expected: Document): Promise<void> {
  const outcome = await write.then(
    () => new Error('stores a duplicate'),
    (error: unknown) => duplicateOf(error) ?? error,
  );
  if (outcome instanceof Error) throw outcome;
  expectEqual(outcome, expected);
}
