import { beforeEach, expect, test } from '@jest/globals';
import request from 'supertest';
import { signPreview } from '../../src/plugins/contract/access/preview-links.js';
import { declare, keyOf, type Permission } from '../support/access.js';
import { useService } from '../support/service.js';

const SIGNING = 'a secret of this test that is long enough';
const client = useService({
  contentTypes: 'tests/api/documents/working-copies/content-types',
  plugins: { i18n: { config: { locales: ['en', 'de'] } } },
  environment: { RESPONSE_CACHE: '1mb', JWT_SECRET: SIGNING },
});
const restricted = useService({
  contentTypes: 'tests/api/documents/working-copies/content-types',
  plugins: { i18n: { config: { locales: ['en', 'de'] } } },
  environment: { DRAFTS: 'restricted', JWT_SECRET: SIGNING },
});
const uid = 'api::article.article';
const author = 'api::author.author';
const writes = ['find', 'findOne', 'create', 'update', 'delete'].map((action) => `${uid}.${action}`);
const drafts = `${uid}.find.drafts`;
const SECRET = 'prepared';

let id: number;
const path = (query = ''): string => `/api/articles/${id}${query}`;
const allow = (...permissions: readonly Permission[]): Promise<void> =>
  declare(client.service, {}, { writer: permissions });
const sendAs = (method: 'get' | 'put' | 'post' | 'delete', address: string, body?: object) => {
  const sending = request(client.service.url)[method](address).auth(keyOf('writer'), { type: 'bearer' });
  return body === undefined ? sending : sending.send(body);
};
const write = (method: 'put' | 'post', address: string, data: object) => sendAs(method, address, { data });
const attributesOf = async (address: string): Promise<Record<string, unknown>> =>
  (await client.get(address)).body.data.attributes;
/** All rights to write, without that to publish. */
const unpublishing = (): readonly Permission[] => [
  ...writes.filter((action) => !/create|update/.test(action)),
  ...['create', 'update'].map((name) => ({ action: `${uid}.${name}`, fields: ['-publishedAt'] })),
];

beforeEach(async () => {
  await client.service.applyAccess({ roles: [], tokens: [], locales: [] });
  for (const { id: one } of (await client.get('/api/articles?publicationState=preview&locale=all')).body.data)
    await client.delete(`/api/articles/${one}`);
  id = await client.create('articles', { title: 'Published', slug: 'one', price: 1 });
});

test('who may not write publishedAt changes drafts and copies, but nothing that is published', async () => {
  await allow(...unpublishing(), drafts, `${author}.find`);
  expect((await write('put', path(), { title: 'Live' })).status).toBe(403);
  expect((await write('put', path('?status=published'), {})).status).toBe(403);
  expect((await write('put', path('?status=draft'), { title: SECRET })).status).toBe(200);
  expect((await write('put', path(), { title: 'Live' })).status).toBe(403);
  expect((await write('put', path('?status=published'), {})).status).toBe(403);
  expect((await write('put', '/api/articles/by/slug/one', { title: 'Live' })).status).toBe(403);
  const operations = [{ update: 'articles', id, data: { title: 'Live' } }];
  expect((await sendAs('post', '/api/batch', { operations })).status).toBe(403);
  const mutation = `mutation { updateArticle(id: ${id}, data: { title: "Live" }) { data { id } } }`;
  expect((await sendAs('post', '/graphql', { query: mutation })).body.errors).toHaveLength(1);
  expect((await attributesOf(path()))['title']).toBe('Published');
  const created = await write('post', '/api/articles?status=draft', { title: 'Draft' });
  expect([created.status, created.body.data.attributes.publishedAt]).toEqual([200, null]);
  const draft = `/api/articles/${created.body.data.id}`;
  expect((await write('put', draft, { title: 'Mine' })).status).toBe(200);
  expect((await write('put', `${draft}?status=published`, {})).status).toBe(403);
});

test('a time of publication beside status=draft is refused for new entries too', async () => {
  const data = { title: 'New', publishedAt: new Date() };
  expect((await client.post('/api/articles?status=draft', data)).status).toBe(400);
});

test('a new entry with status=published is published, or refused', async () => {
  const query =
    'mutation { createArticle(status: PUBLISHED, data: { title: "New" }) { data { attributes { publishedAt } } } }';
  const { body } = await client.graphql(query);
  expect(body.data.createArticle.data.attributes.publishedAt).toEqual(expect.any(String));
  await allow(...unpublishing(), drafts);
  expect((await write('post', '/api/articles?status=published', { title: 'New' })).status).toBe(403);
  expect((await sendAs('post', '/graphql', { query })).body.errors).toHaveLength(1);
});

test('who may not publish changes no shared values of what is published', async () => {
  const localized = await request(client.service.url)
    .post(path('/localizations'))
    .auth(client.service.token, { type: 'bearer' })
    .send({ title: 'Entwurf', locale: 'de', publishedAt: null });
  const german = `/api/articles/${localized.body.id}`;
  await allow(...unpublishing(), drafts);
  expect((await write('put', `${german}?status=draft`, { title: 'Mein' })).status).toBe(200);
  expect((await write('put', german, { price: 9 })).status).toBe(400);
  // What is saved waits until somebody publishes it.
  for (const address of [german, path()]) {
    expect((await write('put', `${address}?status=draft`, { price: 9 })).status).toBe(200);
    expect((await write('put', `${address}?status=published`, {})).status).toBe(403);
  }
  expect((await attributesOf(path()))['price']).toBe(1);
});

test.each(['put', 'schedule'])(
  'who may not see drafts gets nothing of a copy by unpublishing its entry: %s',
  async (by) => {
    await client.put(path('?status=draft'), { title: SECRET });
    await allow(...writes);
    const refused =
      by === 'put'
        ? await write('put', path(), { publishedAt: null })
        : await sendAs('post', path('/schedule'), { publishAt: '2090-01-01T08:00:00.000Z' });
    expect(refused.status).toBe(403);
    expect(refused.text).not.toContain(SECRET);
    expect((await attributesOf(path()))['title']).toBe('Published');
  },
);

test('a deletion with status=published is refused', async () => {
  expect((await client.delete(path('?status=published'))).status).toBe(400);
  expect((await client.get(path())).status).toBe(200);
});

test.each(['status[]=draft', 'status=DRAFT', 'status[a]=draft', 'status=draft&status=published', 'status=null'])(
  '%s is refused by all writes and reads',
  async (query) => {
    const answers = [
      await client.get(path(`?${query}`)),
      await client.get(`/api/articles?${query}`),
      await client.put(path(`?${query}`), { title: 'x' }),
      await client.post(`/api/articles?${query}`, { title: 'x' }),
      await client.delete(path(`?${query}`)),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
  },
);

test('who may not see drafts gets the answers and errors that there would be without copies', async () => {
  const ada = await client.create('authors', { name: 'Ada' });
  const eve = await client.create('authors', { name: SECRET });
  await client.put(path(), { author: ada });
  const other = await client.create('articles', { title: 'Other', slug: 'two', author: ada });
  const states = ['', 'publicationState=preview', 'status=draft', 'status=published'];
  const gets = states.flatMap((state) =>
    [
      '/api/articles?populate=*&sort=title',
      `/api/articles?filters[title]=${SECRET}&pagination[withCount]=true`,
      `/api/articles?filters[title][$ne]=Published`,
      `/api/articles?_q=${SECRET}`,
      '/api/articles?sort=author.name,title',
      `/api/articles?filters[author][name]=${SECRET}`,
      `/api/articles/count?filters[title]=${SECRET}`,
      `/api/articles/by/slug/${SECRET}`,
      '/api/articles/by/slug/one?populate=*',
      path('?populate=*'),
      '/api/authors?populate=articles&sort=id',
      '/api/authors?populate[articles][publicationState]=preview&sort=id',
      `/api/authors?filters[articles][title]=${SECRET}`,
      '/api/authors?sort=articles.title',
      `/api/authors/${eve}?populate[articles][populate]=author`,
    ].map((address) => (state === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${state}`)),
  );
  const queries = ['articles', 'articles(publicationState: PREVIEW)', 'articles(status: DRAFT)'].flatMap((field) => [
    `{ ${field} { data { id attributes { title author { data { id } } } } meta { pagination { total } } } }`,
    `{ authors { data { id attributes { ${field} { data { attributes { title } } } } } } }`,
  ]);
  const shown = async (): Promise<readonly unknown[]> => {
    const answers = [];
    for (const address of gets) answers.push([address, await sendAs('get', address)] as const);
    for (const query of queries) answers.push([query, await sendAs('post', '/graphql', { query })] as const);
    return answers.map(([name, { status, text, headers }]) => [name, status, text, headers['etag']]);
  };
  await allow(...writes, `${author}.find`, `${author}.findOne`);
  const before = await shown();
  const saved = await client.put(path('?status=draft'), { title: SECRET, slug: SECRET, price: 5, author: eve });
  expect(saved.status).toBe(200);
  expect(await shown()).toEqual(before);
  // A value that a copy wants is free.
  const taken = await write('put', `/api/articles/${other}`, { slug: SECRET });
  expect([taken.status, taken.body.data.attributes.slug]).toEqual([200, SECRET]);
  const written = await write('put', path('?populate=*&publicationState=preview'), { price: 2 });
  expect([written.status, written.text.includes(SECRET)]).toEqual([200, false]);
  const deleted = await sendAs('delete', path('?populate=*'));
  expect([deleted.status, deleted.text.includes(SECRET)]).toEqual([200, false]);
});

test('names of attributes that the caller may not read are no part of meta.changes', async () => {
  await client.put(path('?status=draft'), { title: SECRET, price: 7 });
  const rights = ['find', 'findOne'].map((name) => ({ action: `${uid}.${name}`, fields: ['-price'] }));
  await allow(...rights, drafts);
  for (const address of [
    path('?status=draft'),
    '/api/articles?status=draft',
    '/api/articles/by/slug/one?status=draft',
  ]) {
    const { body } = await sendAs('get', address);
    expect([address, body.meta.changes]).toEqual([address, { [id]: ['title'] }]);
  }
  const { body } = await sendAs('get', path('?status=draft&fields=slug'));
  expect(body.meta.changes).toEqual({ [id]: [] });
});

test('a new localization gets the shared values of what is published, and internal code reads it', async () => {
  await client.put(path('?status=draft'), { title: SECRET, price: 7 });
  const localized = await request(client.service.url)
    .post(path('/localizations'))
    .auth(client.service.token, { type: 'bearer' })
    .send({ title: 'Deutsch', locale: 'de', publishedAt: new Date() });
  expect((await attributesOf(`/api/articles/${localized.body.id}`))['price']).toBe(1);
  const { entries } = client.service;
  const titles = async (parameters: object): Promise<readonly unknown[]> =>
    (await entries.findMany(uid, { filters: { id }, ...parameters })).map((entry) => entry['title']);
  expect(await titles({})).toEqual(['Published']);
  expect(await titles({ status: 'draft' })).toEqual([SECRET]);
  expect(await titles({ publicationState: 'preview' })).toEqual([SECRET]);
});

test('writes of an entry with a copy, by who may not see it, meet no value that only copies have', async () => {
  const other = await client.create('articles', { title: 'Other', slug: 'two' });
  await client.put(path('?status=draft'), { slug: SECRET, blocks: [{ __component: 'blocks.quote', text: SECRET }] });
  await client.put(`/api/articles/${other}?status=draft`, { title: 'Else' });
  await allow(...writes);
  const taken = await write('put', `/api/articles/${other}`, { slug: SECRET });
  expect([taken.status, taken.body.data.attributes.slug]).toEqual([200, SECRET]);
  // Ids of components that only the copy has do not exist in the entry.
  const { blocks } = (await client.get(path('?status=draft&populate=blocks'))).body.data.attributes;
  const [{ id: component }] = blocks;
  const foreign = await write('put', path('?populate=blocks'), {
    blocks: [{ __component: 'blocks.quote', id: component }],
  });
  expect([foreign.status, foreign.text.includes(SECRET)]).toEqual([400, false]);
  // What the copy wants is taken now: a publication names it, and changes nothing.
  const late = await client.put(path('?status=published'), { price: 8 });
  expect([late.status, late.body.error.details.errors]).toMatchObject([400, [{ path: ['slug'] }]]);
  expect(await attributesOf(path())).toMatchObject({ slug: 'one', price: 1 });
});

test.each([
  ['restricted', restricted],
  ['open', client],
])('a preview link shows the copy of its entry, and no other: DRAFTS=%s', async (_, site) => {
  const { service } = site;
  const named = await site.create('articles', { title: 'Published', slug: 'named' });
  const address = `/api/articles/${named}`;
  const other = await site.create('articles', { title: 'Other', slug: 'two' });
  await site.put(`${address}?status=draft`, { title: SECRET });
  await site.put(`/api/articles/${other}?status=draft`, { title: 'more that is prepared' });
  const preview = signPreview(SIGNING, { uid, id: named }, 60);
  const get = (address: string) => request(service.url).get(address);
  await declare(service, { public: ['find', 'findOne'].map((name) => `${uid}.${name}`) });
  expect((await get(`${address}?preview=${preview}`)).body.data.attributes.title).toBe(SECRET);
  expect((await get(address)).body.data.attributes.title).toBe('Published');
  expect((await get(`${address}?preview=${preview}x`)).status).toBe(401);
  const query = `{ article(id: ${named}) { data { attributes { title } } } }`;
  const shown = await request(service.url).post('/graphql').set('X-Preview', preview).send({ query });
  expect(shown.body.data.article.data.attributes.title).toBe(SECRET);
  for (const place of [`/api/articles/${other}`, '/api/articles', `/api/articles/by/slug/two`])
    for (const state of ['', '&status=draft', '&publicationState=preview'])
      expect((await get(`${place}?preview=${preview}${state}`)).text).not.toContain('prepared');
});

test('concurrent saves, writes, publications and discards lose no write that was acknowledged', async () => {
  const writings = (at: number): readonly (readonly [string, object])[] => [
    [path('?status=draft'), { title: `title ${at}` }],
    [path(), { price: 100 + at }],
    [path('?status=published'), {}],
    [path('?status=draft'), { slug: `slug-${at}` }],
  ];
  const all = [0, 1, 2].flatMap(writings);
  const results = await Promise.all(all.map(async ([address, data]) => (await client.put(address, data)).status));
  expect(results.filter((status) => status >= 500)).toEqual([]);
  expect((await client.put(path('?status=published'), {})).status).toBe(200);
  const { title, price, slug } = await attributesOf(path());
  expect([title, price, slug]).toEqual([
    expect.stringMatching(/^title /),
    expect.any(Number),
    expect.stringMatching(/^slug-/),
  ]);
  expect(price).toBeGreaterThanOrEqual(100);
});
