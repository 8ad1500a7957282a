import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CommandStartedEvent } from 'mongodb';
import request from 'supertest';
import { declare, type Permission } from '../../../tests/support/access.js';
import { useClock } from '../../../tests/support/clock.js';
import { followCommands } from '../../../tests/support/commands.js';
import { useService } from '../../../tests/support/service.js';
import { openReceiver, type Receiver } from '../../../tests/support/webhook-receiver.js';

const project = mkdtempSync(path.join(os.tmpdir(), 'cdn-'));
let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
  mkdirSync(path.join(project, 'config'));
  const caches = [{ name: 'edge', type: 'webhook', url: receiver.url, header: 'Edge-Tags' }];
  writeFileSync(path.join(project, 'config', 'cdn.json'), JSON.stringify({ caches }));
});
const client = useService({
  environment: { CACHE_TAGS: 'true' },
  configure: (config) => ({ ...config, folders: { ...config.folders, project } }),
});
afterAll(async () => receiver.close());
const clock = useClock();

const find = ['article', 'author', 'category', 'tag', 'homepage'].map((name) => `api::${name}.${name}.find`);
const findOne = ['api::article.article.findOne', 'api::author.author.findOne', 'plugin::upload.content-api.find'];
const localesWith = (standard: string) => ({
  locales: ['en', 'fr'].map((code) => ({ code, isDefault: code === standard })),
});
const open = (permissions: readonly Permission[] = [...find, ...findOne], settings = localesWith('en')) =>
  declare(client.service, { public: permissions }, {}, settings);
const titles = 'articles(sort: "title") { data { attributes { title author { data { attributes { name } } } } } }';
const paths = [
  '/api/articles?populate=*&sort=title',
  '/api/articles?filters[author][name]=Ada',
  '/api/articles?locale=fr&populate=localizations',
  '/api/articles?filters[slug]=one',
  '/api/articles?filters[slug]=four',
  '/api/articles?fields=title&pagination[pageSize]=1&sort=views:desc',
  '/api/articles/1?populate[links]=*',
  '/api/authors?populate=articles',
  '/api/authors/1?populate[articles][populate]=tags',
  '/api/categories?populate[children][populate]=parent',
  '/api/tags?sort=name',
  '/api/tags?populate[articles][count]=true',
  '/api/homepage?populate[highlights][populate]=author',
  '/api/upload/files?sort=id',
  `/graphql?query=${encodeURIComponent(`{ ${titles} }`)}`,
];

interface Seen {
  readonly text: string;
  readonly tags: readonly string[];
}
const look = async (address: string): Promise<Seen> => {
  const { text, headers } = await request(client.service.url).get(address);
  return { text, tags: headers['edge-tags']?.split(',') ?? [] };
};
/** A slow response shortly after a change of permissions has no tags. */
const settle = async (): Promise<void> => {
  for (let seconds = 0; seconds < 2; seconds += 1) {
    clock.pass(1000);
    await look('/api/tags');
  }
};
const purgedSince = (start: number): readonly string[] =>
  receiver.arrivals.slice(start).flatMap(({ body }) => body.tags as string[]);

/** Writes, and waits until each response that is different now has lost a tag. Returns the paths of these. */
async function changedBy(write: () => Promise<unknown>): Promise<readonly string[]> {
  const before = await Promise.all(paths.map(look));
  const start = receiver.arrivals.length;
  await write();
  const after = await Promise.all(paths.map(look));
  const changed = paths.filter((_, index) => before[index]?.text !== after[index]?.text);
  const stale = (): readonly Seen[] => {
    const purged = new Set(purgedSince(start));
    // A response without tags is kept by no cache.
    return before.filter(
      ({ text, tags }, index) => tags.length > 0 && text !== after[index]?.text && !tags.some((tag) => purged.has(tag)),
    );
  };
  while (stale().length > 0) await receiver.arrived(receiver.arrivals.length + 1);
  return changed;
}

beforeAll(async () => {
  await open();
  for (const name of ['Ada', 'Bea']) await client.create('authors', { name });
  for (const name of ['News', 'Other']) await client.create('tags', { name });
  const parent = await client.create('categories', { name: 'All' });
  await client.create('categories', { name: 'Some', parent });
  await client.create('articles', {
    title: 'One',
    slug: 'one',
    author: 1,
    tags: [1],
    category: 1,
    links: [{ label: 'a', url: '/a' }],
  });
  await client.create('articles', { title: 'Two', author: 2, views: 7 });
  await client.put('/api/homepage', { title: 'Home', highlights: [1], publishedAt: new Date() });
});

const translate = () =>
  request(client.service.url)
    .post('/api/articles/1/localizations')
    .auth(client.service.token, { type: 'bearer' })
    .send({ locale: 'fr', title: 'Un', publishedAt: new Date() });
const upload = () =>
  request(client.service.url)
    .post('/api/upload')
    .auth(client.service.token, { type: 'bearer' })
    .attach('files', Buffer.from('text'), 'note.txt');

describe('each response that a write changes loses one of its tags', () => {
  test.each<[string, number, () => Promise<unknown>]>([
    ['a new entry', 6, () => client.create('articles', { title: 'Three', author: 1 })],
    ['a draft', 0, () => client.create('articles', { title: 'Draft', author: 1, publishedAt: null })],
    ['a published draft', 6, () => client.put('/api/articles/4', { publishedAt: new Date() })],
    ['a changed value', 5, () => client.put('/api/articles/1', { title: 'New' })],
    ['a related entry', 5, () => client.put('/api/authors/1', { name: 'Adele' })],
    ['a relation, by its owner', 4, () => client.put('/api/articles/1', { author: 2 })],
    ['a relation, by its other side', 4, () => client.put('/api/authors/1', { articles: { connect: [1] } })],
    ['a relation of many to many', 3, () => client.put('/api/tags/2', { articles: [1, 2] })],
    ['a relation to itself', 1, () => client.put('/api/categories/1', { children: { disconnect: [2] } })],
    ['a component', 2, () => client.put('/api/articles/1', { links: [{ label: 'b', url: '/b' }] })],
    ['a localization', 3, translate],
    ['a single type', 1, () => client.put('/api/homepage', { title: 'Start' })],
    ['a file', 1, upload],
    ['a file of an entry', 1, () => client.put('/api/articles/1', { cover: 1 })],
    ['the first entry with a slug', 1, () => client.create('articles', { title: 'Four', slug: 'four' })],
    ['a deleted entry', 5, () => client.delete('/api/articles/2')],
    ['a right of the public role', 2, () => open([...find.slice(1), ...findOne])],
    ['rights that come back', 2, () => open()],
    [
      'an access rule',
      2,
      () => open([...find.slice(1), ...findOne, { action: 'api::article.article.find', where: { title: 'New' } }]),
    ],
    ['the default locale', 2, () => open(undefined, localesWith('fr'))],
  ])('%s', async (_, least, write) => {
    const changed = await changedBy(write);
    // Otherwise it would prove nothing.
    expect({ changed, isEnough: changed.length >= least }).toEqual({ changed, isEnough: true });
  });
});

test.each([
  ['a list with related entries, and a write to another type', '/api/authors?populate=articles', '/api/tags'],
  [
    'the entry with a slug, and a new one',
    '/api/articles?filters[slug]=one&locale=en&populate=author',
    '/api/articles',
  ],
])('what does not depend on a write keeps its tags: %s', async (_, address, collection) => {
  await settle();
  const [kept, categories] = [await look(address), await look('/api/categories')];
  // Not those of rights, which are purged a second time.
  const tags = kept.tags.filter((tag) => !categories.tags.includes(tag));
  const start = receiver.arrivals.length;
  await request(client.service.url)
    .post(collection)
    .auth(client.service.token, { type: 'bearer' })
    .set('Prefer', 'respond-async, wait=10')
    .send({ data: { title: 'Five', name: 'Five' } });
  expect(tags.length).toBeGreaterThan(0);
  expect(purgedSince(start).filter((tag) => tags.includes(tag))).toEqual([]);
});

describe('Prefer: wait', () => {
  const write = async (prefer: string) => {
    const { headers, status } = await request(client.service.url)
      .put('/api/tags/1')
      .auth(client.service.token, { type: 'bearer' })
      .set('Prefer', prefer)
      .send({ data: { name: prefer } });
    return [status, headers['preference-applied']];
  };

  /** On a slow machine it may take longer than a request waits. */
  const writeUntilPurged = async (): Promise<void> => {
    while ((await write('wait=10'))[1] !== 'wait=10');
  };

  test('tells when the caches have purged what was written', async () => {
    const { tags } = await look('/api/tags?sort=name');
    const start = receiver.arrivals.length;
    await writeUntilPurged();
    expect(purgedSince(start).filter((tag) => tags.includes(tag)).length).toBeGreaterThan(0);
  });

  test('a cache that is away gets the purge when it is back', async () => {
    receiver.answer(503);
    expect(await write('wait=0')).toEqual([200, undefined]);
    const { tags } = await look('/api/tags?sort=name');
    await receiver.arrived(receiver.arrivals.length + 2);
    const start = receiver.arrivals.length;
    receiver.answer(200);
    while (!purgedSince(start).some((tag) => tags.includes(tag))) await receiver.arrived(receiver.arrivals.length + 1);
    await writeUntilPurged();
    const { text } = await request(client.service.url).get('/metrics');
    expect(text).toMatch(/^cdn_purges_total\{outcome="failed"\} [1-9]/m);
    expect(text).toMatch(/^cdn_purge_lag_seconds \d/m);
  });
});

describe('Prefer: wait with one place for requests, and a cache that is away', () => {
  const narrow = useService({
    environment: { CACHE_TAGS: 'true', CONCURRENCY: '1' },
    configure: (config) => ({ ...config, folders: { ...config.folders, project } }),
  });
  const post = (address: string, body: object) =>
    request(narrow.service.url)
      .post(address)
      .auth(narrow.service.token, { type: 'bearer' })
      .set('Prefer', 'wait=10')
      .send(body);

  beforeAll(() => receiver.answer(503));
  afterAll(() => receiver.answer(200));

  test.each<[string, string, object]>([
    ['a query', '/graphql', { query: '{ tags { data { id } } }' }],
    ['a refused mutation', '/graphql', { query: 'mutation { deleteTag(id: 999) { data { id } } }' }],
    ['a dry run', '/api/tags?dryRun=true', { data: { name: 'not stored' } }],
  ])('%s does not wait', async (_, address, body) => {
    const commands: unknown[] = [];
    const note = ({ command }: CommandStartedEvent): number => commands.push(Object.values(command)[0]);
    await followCommands(narrow.service.database.client, note, async () => {
      const { status, headers } = await post(address, body);
      expect([status, headers['preference-applied']]).toEqual([200, undefined]);
    });
    expect(commands).not.toContain('_purges');
  });

  test.each<[string, string, object]>([
    ['an entry', '/api/tags', { data: { name: 'waits' } }],
    ['a mutation', '/graphql', { query: 'mutation { createTag(data: { name: "waits too" }) { data { id } } }' }],
    ['a batch', '/api/batch', { operations: [{ create: 'tags', data: { name: 'waits as well' } }] }],
  ])('a write waits for its purges without a place: %s', async (_, address, body) => {
    receiver.answer(503);
    const purges = narrow.service.database.db.collection('_purges');
    const [latest] = await purges.find().sort({ _id: -1 }).limit(1).toArray();
    const newer = latest === undefined ? {} : { _id: { $gt: latest._id } };
    const writing = post(address, body);
    const ended = writing.then(({ status, headers }) => [status, headers['preference-applied']]);
    while ((await purges.countDocuments(newer)) === 0) await new Promise(setImmediate);
    const other = request(narrow.service.url).get('/api/tags').auth(narrow.service.token, { type: 'bearer' });
    const first = await Promise.race([ended, other.then(({ status }) => status)]);
    expect(first).toBe(200);
    receiver.answer(200);
    expect(await ended).toEqual([200, 'wait=10']);
  });
});

test('everything is purged when another process was killed, which may have written without a purge', async () => {
  const claims = client.service.database.db.collection<{ _id: string; at: Date }>('_claims');
  const { tags } = await look('/api/tags?sort=name');
  const start = receiver.arrivals.length;
  await claims.insertOne({ _id: 'serving killed', at: new Date(Date.now() - 61_000) });
  while (!purgedSince(start).includes(String(tags[0]))) await receiver.arrived(receiver.arrivals.length + 1);
  while ((await claims.countDocuments({ _id: 'serving killed' })) > 0) await new Promise(setImmediate);
  expect(purgedSince(start)).toContain(tags[0]);
});

test('commands test each cache, and purge everything', async () => {
  const run = (usage: string) => client.service.commands.find((command) => command.usage === usage)?.run({});
  expect((await run('cdn test'))?.rows).toEqual([
    { name: 'edge', type: 'webhook', status: 200, milliseconds: expect.any(Number) },
  ]);
  const { tags } = await look('/api/tags?sort=name');
  const start = receiver.arrivals.length;
  await run('cdn purge');
  while (!purgedSince(start).includes(String(tags[0]))) await receiver.arrived(receiver.arrivals.length + 1);
});
