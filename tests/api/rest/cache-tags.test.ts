import { beforeAll, expect, test } from '@jest/globals';
import type { CommandStartedEvent } from 'mongodb';
import request from 'supertest';
import { declare } from '../../support/access.js';
import { useClock } from '../../support/clock.js';
import { useService } from '../../support/service.js';

const client = useService({
  environment: { CACHE_TAGS: 'true', CACHE_CONTROL: 'public, s-maxage=9000' },
  plugins: { graphql: { config: { aggregation: true } } },
  configure: (config) => ({ ...config, limits: { ...config.limits, quickRead: 100 } }),
});
const clock = useClock();
const anybody = (path: string) => request(client.service.url).get(path);
const everything = [
  ...['article', 'author', 'tag', 'homepage'].map((name) => `api::${name}.${name}.find`),
  'plugin::upload.content-api.find',
];
const names = '{ authors(sort: "name") { data { attributes { name articles { data { attributes { title } } } } } } }';
const groups =
  '{ articles_aggregate(groupBy: { author: { name: VALUE } }) { data { key { author { name } } count } } }';
const asGraphql = (query: string) => `/graphql?query=${encodeURIComponent(query)}`;
const paths = [
  '/api/articles?populate=*&sort=author.name',
  '/api/articles?populate=localizations&locale=all',
  '/api/tags?populate=articles',
  '/api/homepage?populate=*',
  '/api/tags?populate[articles][populate]=category,localizations',
  '/api/authors?populate[articles][filters][views]=0',
  '/api/upload/files',
  '/api/articles/aggregate?groupBy=author.name,tags.name&max=views',
  asGraphql(names),
  asGraphql(groups),
];

beforeAll(async () => {
  const author = await client.create('authors', { name: 'Ada', notes: 'seen' });
  const tag = await client.create('tags', { name: 'News' });
  const article = await client.create('articles', { title: 'One', author, tags: [tag] });
  await client.put('/api/homepage', { title: 'Home', highlights: [article], publishedAt: new Date() });
  await client.create('categories', { name: 'Nobody may read it' });
});

/** The role of everybody sees authors with notes. It may not read categories. */
const open = async () => {
  await declare(
    client.service,
    {
      public: everything.map((action) =>
        action === 'api::author.author.find' ? { action, where: { notes: { $notNull: true } } } : action,
      ),
    },
    {},
    { locales: ['en', 'fr'].map((code) => ({ code, isDefault: code === 'en' })) },
  );
  await settle();
};
/** A slow response shortly after a change of permissions has no tags. */
const settle = async () => {
  for (let seconds = 0; seconds < 2; seconds += 1) {
    clock.pass(1000);
    await anybody('/api/tags');
  }
};
/** A response that takes longer than a second. */
const slowly = async (path: string) => {
  const { client: driver } = client.service.database;
  const delay = ({ command }: CommandStartedEvent): void => {
    if (command['find'] === 'tags') clock.pass(1000);
  };
  driver.on('commandStarted', delay);
  const response = await anybody(path);
  driver.off('commandStarted', delay);
  return response;
};
const translate = (address: string, data: object) =>
  request(client.service.url)
    .post(`${address}/localizations`)
    .auth(client.service.token, { type: 'bearer' })
    .send({ locale: 'fr', ...data });

test('what everybody may read has tags and may be kept; nothing else may', async () => {
  await open();
  for (const path of paths) {
    const { status, headers } = await anybody(path);
    expect({ path, status }).toEqual({ path, status: 200 });
    expect(headers['cache-tag']).toMatch(/^[\w-]{12}(,[\w-]{12}){2,199}$/);
    expect([headers['cache-control'], headers['vary']]).toEqual([
      'public, s-maxage=9000',
      expect.stringContaining('Authorization, Cookie'),
    ]);
    const known = await anybody(path).set('If-None-Match', headers['etag'] ?? '');
    expect([known.status, known.headers['cache-tag']]).toEqual([304, headers['cache-tag']]);
    for (const asking of [
      anybody(path).set('Cookie', 'a=b'),
      anybody(path).auth(client.service.token, { type: 'bearer' }),
    ]) {
      const own = await asking;
      expect([own.status, own.headers['cache-tag'], own.headers['cache-control']]).toEqual([
        200,
        undefined,
        'no-store',
      ]);
    }
  }
  for (const path of ['/api/tags/999', '/api/i18n/locales', '/api/tags/count', '/graphql?query={nothing}']) {
    const { headers } = await anybody(path);
    expect([headers['cache-tag'], headers['cache-control']]).toEqual([undefined, 'no-store']);
  }
});

test('a response that depends on the time has no tags', async () => {
  await declare(client.service, { public: [{ action: 'api::tag.tag.find', where: { createdAt: { $lt: '$now' } } }] });
  const { body, headers } = await anybody('/api/tags');
  expect(body.data).toHaveLength(1);
  expect([headers['cache-tag'], headers['cache-control']]).toEqual([undefined, 'no-store']);
});

test('a response that took long has tags if nothing has changed meanwhile', async () => {
  await open();
  const { headers } = await slowly('/api/tags?sort=name');
  expect(headers['cache-tag']).toContain(',');
});

test('a response that took long has no tags shortly after a change of permissions', async () => {
  await open();
  await declare(client.service, { public: everything });
  expect((await slowly('/api/tags?sort=name')).headers['cache-tag']).toBeUndefined();
  await settle();
  expect((await slowly('/api/tags?sort=name')).headers['cache-tag']).toContain(',');
});

test('what the public may not see does not change tags', async () => {
  await open();
  const tagsOf = () => Promise.all(paths.map(async (path) => (await anybody(path)).headers['cache-tag']));
  const before = await tagsOf();
  expect(before).not.toContain(undefined);
  const hidden = await client.create('authors', { name: 'Hidden' });
  const draft = await client.create('articles', { title: 'Draft', author: hidden, publishedAt: null });
  const tagged = await client.create('tags', { name: 'Other' });
  await client.put(`/api/tags/1`, { articles: { connect: [draft] } });
  await client.put('/api/homepage', { highlights: { connect: [draft] } });
  await client.put('/api/articles/1', { internalNote: 'Nobody sees it', secret: 'secret' });
  await client.delete(`/api/tags/${tagged}`);
  await client.put('/api/articles/1', { category: 1 });
  await client.put('/api/categories/1', { name: 'Nobody reads it', articles: { connect: [draft] } });
  for (const { status } of [
    await translate('/api/articles/1', { title: 'Un', author: hidden, publishedAt: null }),
    await translate('/api/homepage', { title: 'Accueil', publishedAt: null }),
    await translate('/api/categories/1', { name: 'Personne' }),
  ])
    expect(status).toBe(200);
  expect(await tagsOf()).toEqual(before);
});
