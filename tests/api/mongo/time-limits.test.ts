import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CommandStartedEvent } from 'mongodb';
import request from 'supertest';
import { createService, type Service } from '../../../src/app/app.js';
import type { Config } from '../../../src/config/config.js';
import type { ContentType, Registry } from '../../../src/content-types/model/types.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { parsePlugins } from '../../../src/config/plugins/parse-plugins.js';
import { importSource } from '../../../src/cli/commands/import/import-source.js';
import { openSource } from '../../../src/cli/commands/import/import.js';
import { openLocks } from '../../../src/mongo/coordination/locks.js';
import type { Database } from '../../../src/mongo/connection/database.js';
import { openGridFiles } from '../../../src/mongo/files/grid-files.js';
import { openWorkspace } from '../../../src/mongo/maintenance/import-workspace.js';
import { watchAvailability } from '../../../src/mongo/observe/availability.js';
import { openDatabase } from '../../../src/mongo/connection/open-database.js';
import { openRateLimits } from '../../../src/mongo/coordination/rate-limits.js';
import { openStagedLinks } from '../../../src/mongo/maintenance/staged-links.js';
import { openStore } from '../../../src/mongo/store.js';
import { entity, link, makeArchive } from '../cli/import/make-archive.js';
import { corpus } from '../../support/service.js';

/** Commands without a limit of their own, and why. */
const unlimited: Readonly<Record<string, string>> = {
  createIndexes: 'an index on many entries takes as long as it takes, and nobody waits: readers and writers go on',
  getMore: 'the limit of the command that it goes on with counts for it as well',
  killCursors: 'sent by the driver, which can do no more about a read than end it',
};

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const article = 'api::article.article';
const author = 'api::author.author';
const sent = new Map<string, Set<string>>();
let folder: string;
let config: Config;
let database: Database;
let service: Service;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'content-service-limits-'));
  const loaded = await loadConfig(
    {
      NODE_ENV: 'test',
      MONGODB_URI: process.env['TEST_MONGODB_URI'],
      DATABASE_NAME: `limits_${process.pid}`,
      DATA_FOLDER: folder,
      CONTENT_TYPES: path.resolve(corpus),
      RATE_LIMIT: '1000',
    },
    folder,
  );
  const plugins = { upload: { config: { provider: 'gridfs' } }, i18n: { config: { locales: ['en', 'fr'] } } };
  config = { ...loaded, plugins: parsePlugins(plugins, 'plugins') };
  database = await openDatabase({ ...config.database, dataFolder: folder, monitored: true }, silent);
  database.client.on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
    const limited = typeof command['maxTimeMS'] === 'number' ? 'limited' : 'unlimited';
    sent.set(commandName, (sent.get(commandName) ?? new Set()).add(limited));
  });
  service = await createService(config, Promise.resolve(database), silent, { extension: {} });
});
afterAll(async () => {
  await database.db.dropDatabase();
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

test('every database command except the listed ones has maxTimeMS', async () => {
  await useEntries();
  await useApi();
  await useFiles();
  await useSmallCollections();
  await importArchive();

  const without = [...sent].filter(([, limits]) => limits.has('unlimited')).map(([name]) => name);
  expect(without.filter((name) => !(name in unlimited))).toEqual([]);
  // The tested commands were sent; otherwise the test would prove nothing.
  const about = 'aggregate find insert update delete findAndModify drop ping createIndexes listIndexes getMore';
  expect([...sent.keys()]).toEqual(expect.arrayContaining(about.split(' ')));
});

function typeIn(registry: Registry): ContentType {
  const type = registry.contentTypes.get(article);
  if (type === undefined) throw new Error(`unknown content type "${article}"`);
  return type;
}

async function useEntries(): Promise<void> {
  const { entries, documents, registry } = service;
  const ada = await entries.create(author, { name: 'Ada' });
  const tags = await Promise.all(['a', 'b', 'c'].map((name) => entries.create('api::tag.tag', { name })));
  const made = await entries.create(article, { title: 'One', author: ada.id, tags: tags.map(({ id }) => id) });
  await entries.create(article, { title: 'Eins', locale: 'fr' });
  await entries.update(article, made.id, { title: 'Two', tags: [tags[0]?.id] });
  await entries.findMany(article, { filters: { author: { name: 'Ada' }, title: { $ne: 'x' } }, populate: '*' });
  await entries.count(article, { filters: { tags: { name: 'a' } } });
  await entries.delete(author, ada.id);
  expect(await documents.count(typeIn(registry), undefined)).toBeGreaterThan(0);
}

async function useApi(): Promise<void> {
  const permissions = [`${article}.find`, `${author}.find`, 'plugin::users-permissions.auth.register'];
  const role = { type: 'public', name: undefined, description: undefined };
  const logIn = 'plugin::users-permissions.auth.callback';
  await service.applyAccess({ roles: [{ ...role, permissions: [...permissions, logIn] }], tokens: [], locales: [] });
  expect((await request(service.handler).get('/api/articles?pagination[withCount]=true&populate=*')).status).toBe(200);
  const query = '{ articles(filters: { title: { contains: "o" } }) { data { id } meta { pagination { total } } } }';
  expect((await request(service.handler).post('/graphql').send({ query })).status).toBe(200);
  const person = { username: 'ada', email: 'ada@example.test', password: 'secret-of-ada' };
  const post = async (address: string, body: object): Promise<number> =>
    (await request(service.handler).post(address).send(body)).status;
  expect(await post('/api/auth/local/register', person)).toBe(200);
  const attempts = ['wrong', person.password].map((password) =>
    post('/api/auth/local', { identifier: 'ada', password }),
  );
  expect(await Promise.all(attempts)).toEqual([400, 200]);
}

/** Files that need more than one batch, too. */
async function useFiles(): Promise<void> {
  const files = openGridFiles(database.db);
  for (const content of ['one', 'two']) await files.put('a.txt', Readable.from([Buffer.from(content)]));
  await files.put('large.bin', Readable.from(Array.from({ length: 20 }, () => Buffer.alloc(1024 * 1024))));
  const stored = await files.get('large.bin');
  expect(stored && (await buffer(await stored.read())).length).toBe(20 * 1024 * 1024);
  const names = new Set<string>();
  for await (const { name } of files.list()) names.add(name);
  expect(names).toEqual(new Set(['a.txt', 'large.bin']));
  await files.removeUnfinished(new Date());
  await files.remove('large.bin');
}

async function useSmallCollections(): Promise<void> {
  const { db } = database;
  const claims = openLocks(db);
  expect([await claims.claim('once'), await claims.claim('once')]).toEqual([true, false]);
  await claims.release('once');
  const limits = openRateLimits(db, false);
  const limiter = limits.open({ name: 'test', max: 2, within: 60 });
  await limiter.count('somebody');
  await limiter.forgive('somebody');
  await limits.sweep();
  const availability = watchAvailability(database.client, db, () => undefined);
  expect(await availability.isReachable()).toBe(true);
  availability.end();
  const store = openStore(db, { timeout: config.limits.queryTime, exclusive: false });
  await store.prepare(service.registry);
  await store.sweep();
  const ids: number[] = [];
  for await (const id of store.ids(typeIn(service.registry))) ids.push(id);
  expect(ids.length).toBeGreaterThan(0);
}

async function importArchive(): Promise<void> {
  const archive = await makeArchive({
    entities: [entity(author, 70, { name: 'Eve' }), entity(article, 71, { title: 'Brought', locale: 'en' })],
    links: [link([article, 'author', 71], [author, 'articles', 70])],
  });
  const importing = {
    registry: service.registry,
    database,
    uploads: { store: openGridFiles(database.db), provider: 'gridfs' },
    acceptDifferences: false,
    removeOthers: true,
    reporter: { stored: () => undefined, existing: () => undefined, read: () => undefined },
    print: () => undefined,
    stopping: new AbortController().signal,
  };
  // The second time they are stored already.
  for (const _ of ['first', 'again']) await importSource(await openSource(archive, { key: undefined }), importing);
  const links = await openStagedLinks(database.db);
  await links.close();
  const workspace = await openWorkspace(database.db);
  await workspace.number('post', 'a');
  await workspace.shelve(new Map([['a', { x: 1 }]]));
  await workspace.take(['a']);
  await workspace.close();
}
