import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Db } from 'mongodb';
import {
  changeDialect,
  findDialectChange,
  findNewDuplicates,
} from '../../../src/mongo/maintenance/migrate/change-dialect.js';
import { createOnDemand } from '../../../src/mongo/indexes/on-demand-indexes.js';
import { readDialect, storeDialect } from '../../../src/mongo/stored/dialect.js';
import { createTestService, type TestService } from '../../../src/testing.js';
import { monitoredUri } from '../../support/commands.js';
import { corpus } from '../../support/service.js';

let name: string;
let started: TestService[];
beforeEach(() => {
  name = `dialects_${randomUUID()}`;
  started = [];
});
afterEach(async () => {
  await started.at(-1)?.database.db.dropDatabase();
  for (const service of started) await service.close();
});

/** A service with the rules of a database, on the one database of the test. */
async function start(STRAPI_DATABASE: string, collation?: string): Promise<TestService> {
  const environment = { STRAPI_DATABASE, ...(collation !== undefined && { STRAPI_DATABASE_COLLATION: collation }) };
  const service = await createTestService({ contentTypes: corpus, mongodbUri: monitoredUri(name), environment });
  started.push(service);
  return service;
}

/** The registry with other rules, of a service on a database that is removed. */
async function registryOf(database: string): Promise<TestService['registry']> {
  const environment = { STRAPI_DATABASE: database };
  const mongodbUri = process.env['TEST_MONGODB_URI'] ?? '';
  const service = await createTestService({ contentTypes: corpus, mongodbUri, environment });
  await service.close();
  return service.registry;
}

/** Stores the data of a service by the rules of another database, as `migrate` does. */
async function change(db: Db, database: string): Promise<void> {
  const registry = await registryOf(database);
  const found = await findDialectChange(db, registry);
  if (found !== undefined) await changeDialect(db, registry, found);
}

const createTags = async ({ entries }: TestService, ...names: readonly string[]): Promise<void> => {
  for (const tag of names) await entries.create('api::tag.tag', { name: tag });
};

const tagsOf = async ({ url, token }: TestService, query: string): Promise<readonly string[]> => {
  const response = await fetch(`${url}/api/tags?${query}`, { headers: { authorization: `Bearer ${token}` } });
  const { data } = (await response.json()) as { data: readonly { attributes: { name: string } }[] };
  return data.map(({ attributes }) => attributes.name);
};

test('a service does not start on data that has the rules of another database', async () => {
  const first = await start('postgres');
  await createTags(first, 'Beta', 'alpha');
  await expect(start('sqlite')).rejects.toThrow(
    'The data is stored by the rules of postgres (en_US), not of sqlite (case_sensitive_like), which the project has',
  );
  await expect(start('postgres', 'C')).rejects.toThrow('postgres (C)');
  // Another name of the same collation.
  expect(await tagsOf(await start('postgres', 'en_US.UTF-8'), 'sort=name')).toEqual(['alpha', 'Beta']);
});

test('data that was stored before there was a choice has the rules of SQLite', async () => {
  const { database, registry } = await start('sqlite');
  await database.db.collection('_dialect').deleteMany({});
  expect(await readDialect(database.db, registry)).toEqual({ database: 'sqlite', collation: 'case_sensitive_like' });
  await expect(start('mysql')).rejects.toThrow('stored by the rules of sqlite');
});

test('the rules change there and back, with the indexes that no start creates', async () => {
  const first = await start('sqlite');
  const { db } = first.database;
  await createTags(first, 'Beta', 'alpha', 'Émile');
  await db.collection('tags').createIndex({ name: -1 }, { name: 'mine' });
  await createOnDemand(db, 'tags', 'schedules');
  expect(await tagsOf(first, 'sort=name')).toEqual(['Beta', 'alpha', 'Émile']);

  await change(db, 'mysql');
  const second = await start('mysql');
  expect(await tagsOf(second, 'filters[name]=EMILE')).toEqual(['Émile']);
  expect(await tagsOf(second, 'sort=name')).toEqual(['alpha', 'Beta', 'Émile']);
  await expect(createTags(second, 'BETA')).rejects.toMatchObject({ code: 'validation' });
  // What a process creates before it first needs it, it does not create again.
  expect(await db.collection('tags').indexExists(['mine', 'schedule'])).toBe(true);

  await change(db, 'sqlite');
  const third = await start('sqlite');
  expect(await tagsOf(third, 'sort=name')).toEqual(['Beta', 'alpha', 'Émile']);
  await createTags(third, 'BETA');
});

test('values that are equal by the new rules are listed', async () => {
  const first = await start('sqlite');
  await createTags(first, 'zeta', 'ZÉTA', 'eta');
  const lines = await findNewDuplicates(first.database.db, await registryOf('mysql'));
  expect(lines).toEqual([expect.stringMatching(/^cs_unique_name of tags: "(zeta|ZÉTA)" in the entries 1, 2$/)]);
  expect(await findNewDuplicates(first.database.db, await registryOf('postgres'))).toEqual([]);
});

test.each([
  ['completed', 'postgres', ['alpha', 'Beta', 'gamma', 'Gamma']],
  ['undone', 'sqlite', ['Beta', 'Gamma', 'alpha', 'gamma']],
] as const)('an interrupted change is %s', async (_, database, sorted) => {
  const first = await start('sqlite');
  const { db } = first.database;
  await createTags(first, 'Beta', 'alpha', 'Gamma');
  const registry = await registryOf('postgres');
  const found = await findDialectChange(db, registry);
  if (found === undefined) throw new Error('nothing would change');
  // It ended after one collection, with a copy of another.
  await changeDialect(db, registry, { ...found, collections: ['tags'] });
  await storeDialect(db, { ...found.from, next: registry.dialect.choice });
  await db.collection<{ _id: number }>('_copy_of_articles').insertOne({ _id: 99 });
  await expect(start('sqlite')).rejects.toThrow('is being changed to the rules of postgres (en_US)');
  await expect(start('postgres')).rejects.toThrow('is being changed to the rules of postgres (en_US)');

  await change(db, database);
  const last = await start(database);
  await createTags(last, 'gamma');
  expect(await tagsOf(last, 'sort=name')).toEqual(sorted);
  expect(await tagsOf(last, 'filters[name]=Gamma')).toEqual(['Gamma']);
  expect(await db.collection('articles').findOne({})).toBeNull();
  expect(await db.listCollections({ name: '_copy_of_articles' }).toArray()).toEqual([]);
});
