import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { type Db, type Document, Int32, MongoClient } from 'mongodb';
import { createCorpusProbes } from '../../../src/cli/commands/doctor/corpus.js';
import { doctor } from '../../../src/cli/commands/doctor/doctor.js';
import { askDatabase } from '../../../src/mongo/probes/ask-database.js';
import { operatorProbes, prepareOperators } from '../../../src/mongo/probes/operator-probes.js';
import { type LesserDatabase, type Lacking, startLesserDatabase } from '../../support/lesser-database.js';

let database: LesserDatabase;
let client: MongoClient;
let db: Db;

beforeAll(async () => {
  database = await startLesserDatabase();
  client = await new MongoClient(database.uri, { maxPoolSize: 4 }).connect();
  db = client.db('doctor_test');
  await prepareOperators({ client, db, isReplicated: false });
});
afterAll(async () => {
  database.lack({});
  await db.dropDatabase();
  await client.close();
  await database.close();
});

/** Other tests make databases meanwhile. */
const ownDatabases = async (): Promise<readonly string[]> => {
  const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
  return databases.map(({ name }) => name).filter((name) => name.startsWith('content_service_doctor_'));
};
/** Refuses commands in whose text this is, as a server that does not know it. */
const refusing = (text: string): Lacking => ({
  refuse: (command) =>
    JSON.stringify(command).includes(text) ? { code: 40_324, errmsg: `Unrecognized: ${text}` } : undefined,
});
/** What is missing beside `single`. */
const missing = async (further = createCorpusProbes()): Promise<readonly string[]> => {
  const findings = await askDatabase(client, further);
  return findings.flatMap(({ probe: { name }, holds }) => (holds || single.has(name) ? [] : [name]));
};

/** What a single server lacks too. */
const single = new Set([
  'a replica set or a sharded cluster',
  'writes that the driver repeats after a failover',
  'reads of one moment',
]);

test('the embedded engine has all that is needed, and the database of its own is removed', async () => {
  database.lack({});
  expect(await missing()).toEqual([]);
  expect(await ownDatabases()).toEqual([]);
});

const hello = (changes: Document): Lacking => ({
  alter: ({ hello, ismaster }, reply) => (hello || ismaster ? { ...reply, ...changes } : reply),
});

test.each<readonly [lack: string, lacking: Lacking, expected: readonly string[]]>([
  ['an old server', hello({ maxWireVersion: new Int32(17) }), ['the protocol of MongoDB 7.0 or newer']],
  ['small documents', hello({ maxBsonObjectSize: new Int32(1000) }), ['the limits of MongoDB']],
  ['no explain', refusing('"explain"'), ['explain']],
  ['no unions', refusing('$unionWith'), ['the stage $unionWith']],
  [
    'no partial indexes',
    refusing('partialFilterExpression'),
    [
      'a unique index on the documents that have a value',
      'a unique index on the elements of a list',
      'an index of the documents without a field',
    ],
  ],
  ['no files', refusing('files_id'), ['GridFS']],
])('a server with %s is reported', async (_, lacking, expected) => {
  database.lack(lacking);
  expect(await missing([])).toEqual(expected);
});

/** The operator in the name of a probe; two have more than one stage. */
const operatorOf = (name: string): string => /\$\$?\w+/.exec(name)?.[0] ?? '';
const singleOperators = operatorProbes.filter(({ name }) => !name.includes(' a pipeline'));

test('each operator that a server lacks is reported with the name of the operator', async () => {
  for (const { name, ask } of singleOperators) {
    database.lack(refusing(operatorOf(name)));
    await expect(ask({ client, db, isReplicated: false })).rejects.toThrow(operatorOf(name));
  }
});

test('an operator with another result is reported', async () => {
  database.lack({
    alter: (_, reply) => ({ ...reply, ...(reply['cursor'] && { cursor: { ...reply['cursor'], firstBatch: [] } }) }),
  });
  const found = operatorProbes.find(({ name }) => name === 'the expression $abs');
  await expect(found?.ask({ client, db, isReplicated: false })).rejects.toThrow('gives [] instead of [{"value":2.5}]');
});

test('the command says whether the service can use the database, by its exit code', async () => {
  for (const method of ['log', 'error'] as const) jest.spyOn(console, method).mockImplementation(() => undefined);
  database.lack({});
  expect(await doctor({ uri: database.uri, json: false })).toBe(0);
  database.lack(refusing('$lookup'));
  expect(await doctor({ uri: database.uri, json: false })).toBe(1);
  expect(jest.mocked(console.log).mock.calls.flat()).toContain('  the stage $lookup: Unrecognized: $lookup');
  jest.restoreAllMocks();
});
