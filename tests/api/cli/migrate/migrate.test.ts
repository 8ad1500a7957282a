import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import { describeViolation } from '../../../../src/mongo/maintenance/check/violation.js';
import { openStore } from '../../../../src/mongo/store.js';
import { checkDatabase } from '../../../../src/mongo/maintenance/check/check-database.js';
import { createTestService, type TestService } from '../../../../src/testing.js';
import { after, before, writeDefinitions } from './definitions.js';

const plugins = { i18n: { config: { locales: ['en', 'fr', 'de'] } } };
const program = path.resolve('bin/content-service.mjs');

let folder: string;
let former: TestService;
let services: TestService[];
const definitions = (name: string, files: object = after): string =>
  writeDefinitions(path.join(folder, name), files as Record<string, object>);

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'migrate-'));
  services = [];
  former = await start(definitions('before', before));
});
afterEach(async () => {
  for (const service of services) await service.close();
  fs.rmSync(folder, { recursive: true });
});

/** A service with these content types, on the one database of the test. */
async function start(contentTypes: string): Promise<TestService> {
  const mongodbUri = process.env['TEST_MONGODB_URI'] ?? '';
  const name = services[0]?.database.db.databaseName;
  // The one of the service before has the same name.
  await services[0]?.database.db.collection('strapi_api_tokens').deleteMany({});
  const environment = name === undefined ? {} : { DATABASE_NAME: name };
  const service = await createTestService({ contentTypes, mongodbUri, plugins, environment });
  services.push(service);
  return service;
}

const environment = (contentTypes: string) => ({
  ...process.env,
  MONGODB_URI: process.env['TEST_MONGODB_URI'],
  DATABASE_NAME: former.database.db.databaseName,
  DATA_FOLDER: path.join(folder, 'data'),
  CONTENT_TYPES: contentTypes,
  NODE_ENV: 'test',
});

/** Runs the script as an operator does. */
function migrate(contentTypes: string, ...args: readonly string[]) {
  const run = spawnSync(process.execPath, [program, 'migrate', ...args], {
    encoding: 'utf8',
    env: environment(contentTypes),
  });
  return { status: run.status, lines: run.stdout.trimEnd().split('\n').slice(1), stderr: run.stderr };
}

async function breachesOf({ database, registry }: TestService): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { violations: breaches } of checkDatabase(database.db, registry))
    found.push(...breaches.map(describeViolation));
  return found;
}

const dump = async ({ database: { db } }: TestService): Promise<Readonly<Record<string, readonly Document[]>>> => {
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name).toSorted();
  const contents = await Promise.all(names.map((name) => db.collection(name).find().sort({ _id: 1 }).toArray()));
  return Object.fromEntries(names.map((name, index) => [name, contents[index] ?? []]));
};

/** Content of every kind that changes. */
async function createContent({ entries }: TestService): Promise<void> {
  for (const name of ['One', 'Two', 'Three']) await entries.create('api::tag.tag', { name });
  const post = (data: object) => entries.create('api::post.post', { ...data });
  await post({
    headline: 'First',
    big: '9007199254740993',
    tags: [3, 1],
    seo: { metaTitle: 'Seo' },
    parts: [{ label: 'a', to: 2, more: { metaTitle: 'deep' } }, { label: 'b' }],
    blocks: [
      { __component: 'shared.link', label: 'c', to: 1 },
      { __component: 'shared.seo', metaTitle: 'zone' },
    ],
  });
  await post({ headline: 'Second', kind: 'essay', tags: [1, 2, 3] });
  await entries.update('api::tag.tag', 3, { posts: [2, 1] });
  const page = await entries.create('api::page.page', { title: 'Hello', views: 4 });
  await entries.create('api::page.page', { title: 'Bonjour', locale: 'fr', localizations: [page.id] });
  await entries.create('api::page.page', { title: 'Hallo', locale: 'de', localizations: [page.id] });
  const alone = await entries.create('api::page.page', { title: 'Seule', locale: 'fr' });
  await entries.create('api::page.page', { title: 'Allein', locale: 'de', localizations: [alone.id] });
  await entries.create('api::note.note', { text: 'Note', about: [page.id, page.id + 1, alone.id + 1, alone.id] });
}

test('migrate without --apply reports the changes and writes nothing', async () => {
  await createContent(former);
  const stored = await dump(former);
  const { status, lines, stderr } = migrate(definitions('after'));
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(lines).toEqual([
    'collection old_posts',
    '  becomes posts',
    'api::note.note',
    '  locale becomes "en": 1 entry',
    'api::page.page',
    '  locale is removed: 5 entries',
    '  is deleted, as its content stays in another locale: 3 entries',
    'api::post.post',
    '  headline becomes title: 2 entries',
    '  seo.metaTitle becomes heading: 1 entry',
    '  parts becomes links: 1 entry',
    '  links.label becomes text: 1 entry',
    '  links.to becomes goal: 1 entry',
    '  links.more.metaTitle becomes heading: 1 entry',
    '  blocks.label becomes text: 1 entry',
    '  blocks.to becomes goal: 1 entry',
    '  blocks.metaTitle becomes heading: 1 entry',
    '  seo.robots gets its default: 1 entry',
    '  links.more.robots gets its default: 1 entry',
    '  blocks.robots gets its default: 1 entry',
    '  kind gets its default: 1 entry',
    '  tags is stored in api::tag.tag, as posts: 2 entries',
    'Nothing was changed; add --apply to apply this',
  ]);
  expect(await dump(former)).toEqual(stored);
});

test('migrate --apply adapts the data to the content types and keeps all values', async () => {
  await createContent(former);
  const read = async (service: TestService, uid: string, field: string, populate: object) => {
    const found = await service.entries.findMany(uid, { sort: 'id', fields: [field], populate });
    return found.map(({ [field]: name, ...rest }) => [name, rest]);
  };
  const tagsBefore = await read(former, 'api::post.post', 'headline', { tags: { fields: ['name'] } });
  const postsBefore = await read(former, 'api::tag.tag', 'name', { posts: { fields: ['id'] } });
  const contentTypes = definitions('after');
  expect(migrate(contentTypes, '--apply')).toMatchObject({ status: 0, stderr: '' });

  const service = await start(contentTypes);
  expect(await breachesOf(service)).toEqual([]);
  expect(await read(service, 'api::post.post', 'title', { tags: { fields: ['name'] } })).toEqual(tagsBefore);
  expect(await read(service, 'api::tag.tag', 'name', { posts: { fields: ['id'] } })).toEqual(postsBefore);
  const [first, second] = await service.entries.findMany('api::post.post', { sort: 'id', populate: 'deep' });
  expect(first).toMatchObject({ title: 'First', big: '9007199254740993', kind: 'news' });
  expect(second).toMatchObject({ title: 'Second', kind: 'essay' });
  const populate = { seo: true, links: { populate: { goal: { fields: ['name'] }, more: true } }, blocks: true };
  expect(await service.entries.findOne('api::post.post', 1, { fields: ['title'], populate })).toMatchObject({
    seo: { heading: 'Seo', robots: 'all' },
    links: [
      { text: 'a', goal: { name: 'Two' }, more: { heading: 'deep', robots: 'all' } },
      { text: 'b', goal: null },
    ],
    blocks: [{ text: 'c' }, { heading: 'zone', robots: 'all' }],
  });
  const pages = await service.entries.findMany('api::page.page', { sort: 'id', fields: ['title', 'views'] });
  expect(pages).toEqual([
    { id: 1, title: 'Hello', views: 4 },
    { id: 4, title: 'Seule', views: null },
  ]);
  const notes = await service.entries.findMany('api::note.note', { populate: { about: { fields: ['title'] } } });
  expect(notes).toMatchObject([{ locale: 'en', about: [{ title: 'Hello' }, { title: 'Seule' }] }]);
  const french = await service.entries.create('api::note.note', { locale: 'fr', localizations: [1], text: 'Remarque' });
  expect(french).toMatchObject({ locale: 'fr' });
  await service.entries.update('api::tag.tag', 1, { posts: { connect: [1] } });
  await expect(service.entries.create('api::post.post', { links: [{ text: 'c' }] })).rejects.toThrow('unique');

  expect(migrate(contentTypes, '--apply')).toMatchObject({
    status: 0,
    lines: ['The data matches the content types: there is nothing to do'],
  });
  expect(await breachesOf(service)).toEqual([]);
});

test('migrating back restores the stored data', async () => {
  const { entries } = former;
  for (const name of ['One', 'Two', 'Three']) await entries.create('api::tag.tag', { name });
  for (const tags of [[3, 1], [1, 2, 3], [2]]) await entries.create('api::post.post', { headline: 'x', tags });
  const orders = async ({ entries: found }: TestService) => [
    await found.findMany('api::post.post', { sort: 'id', fields: ['id'], populate: { tags: { fields: ['id'] } } }),
    await found.findMany('api::tag.tag', { sort: 'id', fields: ['id'], populate: { posts: { fields: ['id'] } } }),
  ];
  const expected = await orders(former);
  expect(migrate(definitions('after'), '--apply').status).toBe(0);
  const back = {
    ...before,
    'migrations.json': { collections: { posts: 'old_posts' }, attributes: { 'api::post.post': { title: 'headline' } } },
  };
  expect(migrate(definitions('back', back), '--apply').status).toBe(0);
  expect(await orders(former)).toEqual(expected);
});

test.each([
  [
    'that access.json declares',
    { 'access.json': { locales: [{ code: 'en' }, { code: 'de', isDefault: true }] } },
    'de',
  ],
  ['that the service has', {}, 'en'],
])('entries of a type that became localized get the default locale %s', async (_, files, locale) => {
  await former.entries.create('api::note.note', { text: 'Note' });
  const { lines } = migrate(definitions('after', { ...after, ...files }));
  expect(lines).toContain(`  locale becomes "${locale}": 1 entry`);
});

test('migrate reports an entry with values under both names and leaves it unchanged', async () => {
  await createContent(former);
  const collection = former.database.db.collection<{ _id: number }>('old_posts');
  await collection.updateOne({ _id: 1 }, { $set: { title: 'Other' } });
  const { status, lines } = migrate(definitions('after'), '--apply');
  expect(status).toBe(1);
  expect(lines).toContain('posts 1 headline: is left unchanged: title, its current name, has a value too');
  const stored = await former.database.db.collection<{ _id: number }>('posts').findOne({ _id: 1 });
  expect(stored).toMatchObject({ headline: 'First', title: 'Other' });
});

test('migrate refuses to rename a collection to one that has entries', async () => {
  await createContent(former);
  await former.database.db.collection<{ _id: number }>('posts').insertOne({ _id: 1 });
  const stored = await dump(former);
  const { status, stderr } = migrate(definitions('after'), '--apply');
  expect(status).toBe(2);
  expect(stderr).toBe('migrations.json: old_posts cannot be renamed to posts: both collections have entries\n');
  expect(await dump(former)).toEqual(stored);
});

test('migrate reports all errors in migrations.json, one line each', () => {
  const wrong = {
    ...after,
    'migrations.json': {
      collection: {},
      collections: { posts: 'tags', former: 'pots' },
      attributes: {
        'api::pots.pots': {},
        'api::post.post': { title: 'kind', old: 'titel', older: 1 },
        'shared.seo': 1,
      },
    },
  };
  expect(migrate(definitions('wrong', wrong)).stderr.trimEnd().split('\n')).toEqual([
    'wrong/migrations.json: collection is unknown; did you mean "collections"?',
    'wrong/migrations.json: attributes.api::pots.pots is not a content type or component; did you mean "api::note.note"?',
    'wrong/migrations.json: attributes.api::post.post.title is the name of an attribute today: remove the line',
    'wrong/migrations.json: attributes.api::post.post.old names an unknown attribute "titel"; did you mean "title"?',
    'wrong/migrations.json: attributes.api::post.post.older 1 must be a string',
    'wrong/migrations.json: attributes.shared.seo 1 must be an object',
    'wrong/migrations.json: collections.posts is the name of a collection today: remove the line',
    'wrong/migrations.json: collections.former names an unknown collection "pots"; did you mean "posts"?',
  ]);
});

/** Starts a run and ends it as soon as something is true of the database, or when it has ended by itself. */
async function interrupt(contentTypes: string, signal: 'SIGKILL' | 'SIGINT', is: () => Promise<boolean>) {
  const child = spawn(process.execPath, [program, 'migrate', '--apply'], {
    env: environment(contentTypes),
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  while (child.exitCode === null && !(await is()));
  child.kill(signal);
  await ended;
  return { code: child.exitCode, signal: child.signalCode };
}

test('migrate resumes after being killed at any stage', async () => {
  await createContent(former);
  const { db } = former.database;
  const many = 1500;
  const ids = Array.from({ length: many }, (_, index) => index + 10);
  type Stored = Document & { _id: number };
  const posts = ids.map((_id) => ({ _id, headline: `Post ${_id}`, tags: [_id], _rank: { tags: [_id % 7] } }));
  await db.collection<Stored>('old_posts').insertMany(posts);
  await db.collection<Stored>('tags').insertMany(ids.map((_id) => ({ _id, name: `Tag ${_id}` })));
  for (const uid of ['api::post.post', 'api::tag.tag']) {
    await db.collection<Document & { _id: string }>('_counters').updateOne({ _id: uid }, { $set: { id: many + 10 } });
  }
  const contentTypes = definitions('after');
  const some = (collection: string, filter: Document) => async () =>
    (await db.collection(collection).findOne(filter)) !== null;
  const stages = [
    some('posts', { title: { $exists: true } }),
    some('tags', { _id: { $gt: 600 }, posts: { $exists: true } }),
    some('posts', { _id: { $lt: 10 }, tags: { $exists: false } }),
    async () => !(await some('pages', { title: 'Hallo' })()),
  ];
  const ends = [];
  for (const stage of stages) ends.push((await interrupt(contentTypes, 'SIGKILL', stage)).signal);
  expect(ends.slice(0, 3)).toEqual(['SIGKILL', 'SIGKILL', 'SIGKILL']);
  expect(migrate(contentTypes, '--apply').status).toBe(0);
  const service = await start(contentTypes);
  // A write that the last kill interrupted is finished by others once it is old enough.
  const store = openStore(service.database.db, { timeout: 60_000, exclusive: false });
  await store.sweep(true);
  expect(await breachesOf(service)).toEqual([]);
  expect(await db.collection('posts').countDocuments({ title: /^Post/, kind: 'news' })).toBe(many);
  expect(await db.collection('tags').countDocuments({ name: /^Tag/, $expr: { $eq: ['$posts', ['$_id']] } })).toBe(many);
});

test('Ctrl+C stops migrate after the current entries', async () => {
  await createContent(former);
  const { db } = former.database;
  const posts = Array.from({ length: 5000 }, (_, index) => ({ _id: index + 10, headline: 'Post' }));
  await db.collection<Document & { _id: number }>('old_posts').insertMany(posts);
  const contentTypes = definitions('after');
  const begun = async () => (await db.collection('posts').findOne({ title: 'Post' })) !== null;
  expect(await interrupt(contentTypes, 'SIGINT', begun)).toEqual({ code: 130, signal: null });
  expect(await db.collection('posts').countDocuments({ headline: 'Post' })).toBeGreaterThan(0);
  expect(migrate(contentTypes, '--apply').status).toBe(0);
  expect(await db.collection('posts').countDocuments({ title: 'Post', headline: { $exists: false } })).toBe(5000);
});
