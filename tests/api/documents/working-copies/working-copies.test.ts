import { beforeEach, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import request from 'supertest';
import type { ContentType } from '../../../../src/content-types/model/types.js';
import type { Caller } from '../../../../src/documents/caller.js';
import { openSchedules } from '../../../../src/mongo/events/schedules.js';
import type { Extension } from '../../../../src/plugins/contract/extension.js';
import { plainEntry } from '../../../../src/query/entry-presenter.js';
import { useService, type Answer } from '../../../support/service.js';

/** What lifecycles of the project have seen. */
const seen: unknown[] = [];
/** What happens while they run, once. */
let meanwhile: (() => Promise<unknown>) | undefined;
const extension: Extension = {
  lifecycles: {
    'api::article.article': {
      beforeUpdate: async ({ data }) => {
        seen.push(data);
        const happens = meanwhile;
        meanwhile = undefined;
        await happens?.();
        const { title } = data;
        return typeof title === 'string' && title.endsWith(' ') ? { ...data, title: title.trim() } : data;
      },
      afterUpdate: () => void seen.push('updated'),
    },
  },
};
const client = useService({
  extension,
  contentTypes: 'tests/api/documents/working-copies/content-types',
  plugins: { i18n: { config: { locales: ['en', 'de'] } } },
  environment: { EVENTS: 'true', RESPONSE_CACHE: '1mb' },
});
const KEY = 'key-of-an-editor';
const uid = 'api::article.article';

let id: number;
const path = (query = ''): string => `/api/articles/${id}${query}`;
beforeEach(async () => {
  for (const { id: one } of (await client.get('/api/articles?publicationState=preview&locale=all')).body.data)
    await client.delete(`/api/articles/${one}`);
  id = await client.create('articles', { title: 'Published', slug: 'one', price: 1 });
});

const titleOf = async (address: string): Promise<unknown> => (await client.get(address)).body.data?.attributes?.title;
const stored = async (): Promise<readonly Document[]> =>
  client.service.database.db
    .collection('articles')
    .find({}, { projection: { _copied: 0 } })
    .toArray();

test('a saved change shows in previews only, until it is published', async () => {
  const before = await stored();
  const saved = await client.put(path('?status=draft'), { title: 'Changed' });
  expect([saved.status, saved.body.data.attributes.title]).toEqual([200, 'Changed']);
  expect(await stored()).toEqual(before);
  expect(await titleOf(path())).toBe('Published');
  expect(await titleOf(path('?status=draft'))).toBe('Changed');
  expect(await titleOf(path('?publicationState=preview'))).toBe('Changed');
  const { body } = await client.get('/api/articles?status=draft&fields=title');
  expect(body.data).toMatchObject([{ id, attributes: { title: 'Changed' } }]);
  expect(body.meta).toMatchObject({ pagination: { total: 1 }, changes: { [id]: ['title'] } });
  expect((await client.get('/api/articles')).body.meta.changes).toBeUndefined();

  const published = await client.put(path('?status=published'), {});
  expect([published.status, published.body.data.attributes.title]).toEqual([200, 'Changed']);
  expect(await titleOf(path())).toBe('Changed');
  expect((await client.get('/api/articles?status=draft')).body.meta.changes).toBeUndefined();
});

test('what others write meanwhile stays, except for what the copy changes', async () => {
  await client.put(path('?status=draft'), { title: 'Changed' });
  const { body } = await client.put(path(), { title: 'Corrected', price: 2 });
  expect(body.data.attributes).toMatchObject({ title: 'Corrected', price: 2 });
  const preview = await client.get(path('?status=draft'));
  expect(preview.body.data.attributes).toMatchObject({ title: 'Changed', price: 2 });
  await client.put(path('?status=published'), {});
  expect((await client.get(path())).body.data.attributes).toMatchObject({ title: 'Changed', price: 2 });
});

test('a copy is discarded, and one that changes nothing is none', async () => {
  await client.put(path('?status=draft'), { title: 'Changed' });
  const discarded = await client.delete(path('?status=draft'));
  expect([discarded.status, discarded.body.data.attributes.title]).toEqual([200, 'Published']);
  expect(await titleOf(path('?status=draft'))).toBe('Published');
  expect((await client.delete(path('?status=draft'))).status).toBe(404);
  await client.put(path('?status=draft'), { title: 'Changed' });
  await client.put(path('?status=draft'), { title: 'Published' });
  expect((await client.delete(path('?status=draft'))).status).toBe(404);
});

test('a draft is saved as itself, and published with all checks', async () => {
  const { body } = await client.post('/api/articles?status=draft', { slug: 'two' });
  expect(body.data.attributes.publishedAt).toBeNull();
  const draft = `/api/articles/${body.data.id}`;
  expect((await client.put(`${draft}?status=draft`, { price: 3 })).body.data.attributes.price).toBe(3);
  const refused = await client.put(`${draft}?status=published`, {});
  expect([refused.status, refused.body.error.details.errors]).toMatchObject([400, [{ path: ['title'] }]]);
  const published = await client.put(`${draft}?status=published`, { title: 'Two' });
  expect([published.status, published.body.data.attributes.publishedAt]).toEqual([200, expect.any(String)]);
});

test('status=published shows nothing that is not published, also for one entry by its id', async () => {
  const { body } = await client.post('/api/articles?status=draft', { title: 'Draft', slug: 'two' });
  const draft = body.data.id as number;
  const titles = async (status: string): Promise<readonly unknown[]> => {
    const address = `/api/articles/${draft}${status === '' ? '' : `?status=${status}`}`;
    const argument = status === '' ? '' : `, status: ${status.toUpperCase()}`;
    const shown = await client.graphql(`{ article(id: ${draft}${argument}) { data { attributes { title } } } }`);
    return [await titleOf(address), shown.body.data.article.data?.attributes.title];
  };
  for (const shown of ['', 'draft']) expect(await titles(shown)).toEqual(['Draft', 'Draft']);
  expect(await titles('published')).toEqual([undefined, undefined]);
  // As in Strapi v4.
  expect(await titleOf(`/api/articles/${draft}?publicationState=live`)).toBe('Draft');
});

test('a copy may lack what is required, and is not published without it', async () => {
  const saved = await client.put(path('?status=draft'), { title: null, blocks: [{ __component: 'blocks.quote' }] });
  expect(saved.status).toBe(200);
  const refused = await client.put(path('?status=published'), {});
  const paths = refused.body.error.details.errors.map((error: { path: unknown }) => error.path);
  expect([refused.status, paths]).toEqual([400, [['title'], ['blocks', '0', 'text']]]);
  expect(await titleOf(path())).toBe('Published');
  const published = await client.put(path('?status=published'), { title: 'Complete', blocks: [] });
  expect(published.status).toBe(200);
});

test('values that must be unique are unique among what is published, and among what is prepared', async () => {
  const other = await client.create('articles', { title: 'Other', slug: 'other' });
  const refused = await client.put(path('?status=draft'), { slug: 'other' });
  expect([refused.status, refused.body.error.details.errors]).toMatchObject([400, [{ path: ['slug'] }]]);
  expect((await client.put(path('?status=draft'), { slug: 'next' })).status).toBe(200);
  expect((await client.put(`/api/articles/${other}?status=draft`, { slug: 'next' })).status).toBe(400);
  expect((await client.put(`/api/articles/${other}`, { slug: 'next' })).status).toBe(200);
  const late = await client.put(path('?status=published'), {});
  expect([late.status, late.body.error.details.errors]).toMatchObject([400, [{ path: ['slug'] }]]);
  expect((await client.get(path('?status=draft'))).body.data.attributes.slug).toBe('next');
});

test('unique values in components are named by their paths, also where only the copy has them', async () => {
  const quote = (code: string) => ({ __component: 'blocks.quote', text: 'x', code });
  const other = await client.create('articles', { title: 'Other', blocks: [quote('taken')] });
  const pathsOf = async (answer: ReturnType<typeof client.put>): Promise<unknown> => {
    const { status, body } = await answer;
    return [status, body.error?.details.errors.map((issue: { readonly path: unknown }) => issue.path)];
  };
  const save = (...codes: readonly string[]) => client.put(path('?status=draft'), { blocks: codes.map(quote) });
  expect(await pathsOf(save('mine', 'taken'))).toEqual([400, [['blocks', '1', 'code']]]);
  expect((await save('mine', 'next')).status).toBe(200);
  await client.put(path('?status=draft'), { slug: 'later' });
  await client.put(`/api/articles/${other}`, { blocks: [quote('next')], slug: 'later' });
  expect(await pathsOf(client.put(path('?status=published'), { price: 3 }))).toEqual([
    400,
    [['slug'], ['blocks', '1', 'code']],
  ]);
});

test('relations that other entries store, and the time of publication, are no part of a copy', async () => {
  const author = await client.create('authors', { name: 'Ada' });
  const refused = await client.put(path('?status=draft'), { publishedAt: null });
  expect([refused.status, refused.body.error.details.errors]).toMatchObject([400, [{ path: ['publishedAt'] }]]);
  await client.put(path('?status=draft'), { author, tags: [author] });
  expect((await client.get(path('?populate=*'))).body.data.attributes.author.data).toBeNull();
  const preview = await client.get('/api/articles?status=draft&filters[author][name]=Ada&populate=*');
  expect(preview.body.data).toMatchObject([
    { id, attributes: { author: { data: { id: author } }, tags: { data: [{ id: author }] } } },
  ]);
  // Deleted entries vanish from copies.
  await client.delete(`/api/authors/${author}`);
  const { attributes } = (await client.get(path('?status=draft&populate=*'))).body.data;
  expect([attributes.author.data, attributes.tags.data]).toEqual([null, []]);
});

test('unpublishing an entry makes a draft of what is prepared, and a deletion deletes both', async () => {
  await client.put(path('?status=draft'), { title: 'Changed' });
  await client.put(path(), { publishedAt: null });
  expect((await client.get(path())).body.data.attributes).toMatchObject({ title: 'Changed', publishedAt: null });
  await client.put(path(), { publishedAt: new Date() });
  await client.put(path('?status=draft'), { title: 'Again' });
  expect((await client.delete(path())).status).toBe(200);
  expect((await client.get('/api/articles?status=draft')).body.data).toEqual([]);
});

test('shared values of a copy go to all localizations when it is published', async () => {
  const localized = await request(client.service.url)
    .post(path('/localizations'))
    .auth(client.service.token, { type: 'bearer' })
    .send({ title: 'Veröffentlicht', locale: 'de', publishedAt: new Date() });
  expect(localized.status).toBe(200);
  const german = `/api/articles/${localized.body.id}`;
  await client.put(`${german}?status=draft`, { title: 'Geändert' });
  await client.put(path('?status=draft'), { price: 5 });
  expect((await client.get(german)).body.data.attributes.price).toBe(1);
  await client.put(path('?status=published'), {});
  for (const [address, title] of [
    [german, 'Veröffentlicht'],
    [`${german}?status=draft`, 'Geändert'],
  ] as const)
    expect((await client.get(address)).body.data.attributes).toMatchObject({ title, price: 5 });
});

test('a new localization takes a status', async () => {
  const localize = (query: string, data: object) =>
    request(client.service.url)
      .post(path(`/localizations${query}`))
      .auth(client.service.token, { type: 'bearer' })
      .send({ locale: 'de', ...data });
  expect((await localize('?status=later', { title: 'Deutsch' })).status).toBe(400);
  const incomplete = await localize('?status=published', {});
  expect([incomplete.status, incomplete.body.error.details.errors]).toMatchObject([400, [{ path: ['title'] }]]);
  expect((await localize('?status=draft', { publishedAt: new Date() })).status).toBe(400);
  const draft = await localize('?status=draft', {});
  expect([draft.status, draft.body.publishedAt]).toEqual([200, null]);
  await client.delete(`/api/articles/${draft.body.id}`);
  const published = await localize('?status=published', { title: 'Deutsch' });
  expect([published.status, published.body.publishedAt]).toEqual([200, expect.any(String)]);
});

test('copies need the right to drafts', async () => {
  const allow = async (...permissions: readonly string[]): Promise<void> => {
    const token = { name: 'editor', key: KEY, type: 'custom', description: undefined, expiresAt: undefined } as const;
    await client.service.applyAccess({ roles: [], tokens: [{ ...token, permissions }], locales: [] });
  };
  const sending = () => request(client.service.url);
  const asEditor = (method: 'get' | 'put', address: string, data?: object): request.Test => {
    const sent = sending()[method](address).auth(KEY, { type: 'bearer' });
    return data === undefined ? sent : sent.send({ data });
  };
  const plain = ['find', 'findOne', 'update'].map((action) => `${uid}.${action}`);
  await allow(...plain);
  expect((await asEditor('put', path('?status=draft'), { title: 'x' })).status).toBe(403);
  await client.put(path('?status=draft'), { title: 'Changed' });
  expect((await asEditor('get', path('?status=draft'))).body.data.attributes.title).toBe('Published');
  expect((await asEditor('get', '/api/articles?status=draft')).body.meta.changes).toBeUndefined();
  await allow(...plain, `${uid}.find.drafts`);
  expect((await asEditor('get', path('?status=draft'))).body.data.attributes.title).toBe('Changed');
  expect((await asEditor('put', path('?status=draft'), { title: 'Mine' })).status).toBe(200);
});

test('a batch saves and publishes copies, of which all happen or none', async () => {
  const other = await client.create('articles', { title: 'Other', slug: 'other' });
  const batch = (...operations: readonly object[]) =>
    request(client.service.url).post('/api/batch').auth(client.service.token, { type: 'bearer' }).send({ operations });
  const update = (one: number, status: string, data: object = {}) => ({ update: 'articles', id: one, status, data });
  const saved = await batch(update(id, 'draft', { title: 'A' }), update(other, 'draft', { title: 'B' }));
  expect([saved.status, saved.body.data.map((entry: Document) => entry['attributes'].title)]).toEqual([
    200,
    ['A', 'B'],
  ]);
  const refused = await batch(update(id, 'published'), update(other, 'published', { title: null }));
  expect(refused.status).toBe(400);
  expect(await titleOf(path())).toBe('Published');
  expect((await batch(update(id, 'published'), update(other, 'published'))).status).toBe(200);
  expect([await titleOf(path()), await titleOf(`/api/articles/${other}`)]).toEqual(['A', 'B']);
});

test.each(['?status=draft', ''])(
  'an entry whose copy was lost in the database is in previews again after a PUT%s',
  async (query) => {
    await client.put(path('?status=draft'), { title: 'Changed' });
    await client.service.database.db.collection('_copies.articles').deleteMany({});
    expect((await client.put(path(query), { price: 2 })).status).toBe(200);
    expect((await client.get('/api/articles?status=draft')).body.data).toMatchObject([
      { id, attributes: { title: 'Published', price: 2 } },
    ]);
  },
);

test('pages far behind are those of the whole list', async () => {
  const { db } = client.service.database;
  const at = new Date('2024-01-31');
  type Row = Document & { readonly _id: number };
  const row = (_id: number, more: object): Row => ({ _id, locale: 'en', createdAt: at, updatedAt: at, ...more });
  const first = id + 1;
  const rows = Array.from({ length: 400 }, (_, index) =>
    row(first + index, { title: `t${index}`, price: (index * 7919) % 400, _live: 1, publishedAt: at }),
  );
  const isCopied = ({ _id }: Row): boolean => (_id - first) % 40 === 3;
  const copies = rows
    .filter(isCopied)
    .map((one) => ({ ...one, price: 399 - Number(one['price']), _changes: ['price'] }));
  await db
    .collection<Row>('articles')
    .insertMany(rows.map((one) => ({ ...one, ...(isCopied(one) && { _copied: 1 }) })));
  await db.collection<Row>('_copies.articles').insertMany(copies);
  await db.collection<{ _id: string }>('_counters').updateOne({ _id: uid }, { $max: { id: first + 400 } });
  const latest = rows.map((one) => copies.find(({ _id }) => _id === one._id) ?? one);
  const others = [{ _id: id, price: 1 }, ...latest] as readonly Row[];
  const sorted = others.toSorted((a, b) => Number(a['price']) - Number(b['price']) || a._id - b._id);
  for (const start of [90, 110, 111, 230, 390, 401]) {
    const { body } = await client.get(
      `/api/articles?status=draft&sort=price&pagination[start]=${start}&pagination[limit]=20`,
    );
    const ids = body.data.map((entry: { readonly id: number }) => entry.id);
    expect([start, ids]).toEqual([start, sorted.slice(start, start + 20).map(({ _id }) => _id)]);
  }
  for (const name of ['articles', '_copies.articles'])
    await db.collection<Row>(name).deleteMany({ _id: { $gte: first } });
});

test('GraphQL has the same by an argument', async () => {
  const update = (status: string, data: string) =>
    client.graphql(
      `mutation { updateArticle(id: ${id}, status: ${status}, data: { ${data} }) { data { attributes { title } } } }`,
    );
  const saved = await update('DRAFT', 'title: "Changed"');
  expect(saved.body).toEqual({ data: { updateArticle: { data: { attributes: { title: 'Changed' } } } } });
  const read = async (argument: string): Promise<unknown> =>
    (
      await client.graphql(
        `{ article(id: ${id}${argument}) { data { attributes { title } } } articles${argument === '' ? '' : '(status: DRAFT)'} { data { attributes { title } } } }`,
      )
    ).body.data;
  const both = (title: string) => ({
    article: { data: { attributes: { title } } },
    articles: { data: [{ attributes: { title } }] },
  });
  expect([await read(''), await read(', status: DRAFT')]).toEqual([both('Published'), both('Changed')]);
  await update('PUBLISHED', '');
  expect(await read('')).toEqual(both('Changed'));
});

test('a save and a discard change no live answer, tag or event; a publication is an update', async () => {
  const author = await client.create('authors', { name: 'Ada' });
  await client.put(path(), { author });
  const live = [
    '/api/articles',
    '/api/articles?populate=*&sort=author.name',
    path('?populate=*'),
    '/api/authors?populate=*',
  ];
  const answers = async (): Promise<readonly unknown[]> =>
    Promise.all(
      live.map(async (address) => {
        const { text, headers } = await client.get(address);
        return [text, headers['etag']];
      }),
    );
  const feed = async (query: object = {}) =>
    request(client.service.url)
      .get('/api/changes')
      .query({ wait: 0, ...query })
      .auth(client.service.token, { type: 'bearer' })
      .set('Accept', 'application/json');
  const before = await answers();
  const since = (await feed()).body.meta.position as string;
  await client.put(path('?status=draft'), { title: 'Changed', author: null });
  expect(await answers()).toEqual(before);
  expect(
    (await client.get('/api/authors?populate=*&publicationState=preview')).body.data[0].attributes.articles.data,
  ).toEqual([]);
  await client.delete(path('?status=draft'));
  expect(await answers()).toEqual(before);
  const preview = await client.get('/api/authors?populate=*&publicationState=preview');
  expect(preview.body.data[0].attributes.articles.data).toHaveLength(1);
  expect((await feed({ since })).body.data).toEqual([]);
  await client.put(path('?status=draft'), { title: 'Changed' });
  await client.put(path('?status=published'), {});
  expect((await feed({ since })).body.data).toMatchObject([{ event: 'entry.update', id }]);
});

test('If-Match takes the tag of the same state', async () => {
  await client.put(path('?status=draft'), { title: 'Changed' });
  const tag = (await client.get(path('?status=draft'))).headers['etag'] as string;
  const save = (title: string) =>
    request(client.service.url)
      .put(path('?status=draft'))
      .auth(client.service.token, { type: 'bearer' })
      .set('If-Match', tag)
      .send({ data: { title } });
  expect((await save('Mine')).status).toBe(200);
  expect((await save('Theirs')).status).toBe(412);
});

test('code saves, reads, publishes and discards copies by the same parameter', async () => {
  const { entries } = client.service;
  const read = async (params?: { readonly status: string }): Promise<unknown> =>
    (await entries.findOne(uid, id, params))['title'];
  expect((await entries.update(uid, id, { title: 'Changed' }, { status: 'draft' }))['title']).toBe('Changed');
  expect([await read(), await read({ status: 'draft' })]).toEqual(['Published', 'Changed']);
  await entries.update(uid, id, {}, { status: 'published' });
  expect(await read()).toBe('Changed');
  await entries.update(uid, id, { title: 'Again' }, { status: 'draft' });
  await entries.delete(uid, id, { status: 'draft' });
  expect(await read({ status: 'draft' })).toBe('Changed');
});

test('If-Match of a publication takes the tag of what it publishes', async () => {
  const publish = (tag: string): Promise<Answer> =>
    request(client.service.url)
      .put(path('?status=published&populate=*'))
      .auth(client.service.token, { type: 'bearer' })
      .set('If-Match', tag)
      .send({ data: {} });
  const tagOf = async (query: string): Promise<string> => (await client.get(path(query))).headers['etag'] as string;
  for (const former of [undefined, 'Mine']) {
    if (former !== undefined) await client.put(path('?status=draft'), { title: former });
    const tag = await tagOf('?status=draft&populate=*');
    const title = `Theirs, not ${former}`;
    await client.put(path('?status=draft'), { title });
    expect((await publish(tag)).status).toBe(412);
    expect((await publish(await tagOf('?populate=*'))).status).toBe(412);
    const published = await publish(await tagOf('?status=draft&populate=*'));
    expect([published.status, published.body.data.attributes.title]).toEqual([200, title]);
  }
});

test('code of the project runs when a copy is published, with what it changes', async () => {
  seen.length = 0;
  await client.put(path('?status=draft'), { title: 'Changed ', blocks: [{ __component: 'blocks.quote', text: 'x' }] });
  expect(seen).toEqual([]);
  await client.put(path('?status=published'), { price: 7 });
  expect(seen).toMatchObject([{ title: 'Changed ', blocks: [{ text: 'x' }], price: 7 }, 'updated']);
  const { attributes } = (await client.get(path('?populate=*'))).body.data;
  expect(attributes).toMatchObject({ title: 'Changed', price: 7, blocks: [{ text: 'x' }] });
});

test.each([true, false])(
  'what is saved while code sees what is published is published as code makes it: %s',
  async (isCopied) => {
    if (isCopied) await client.put(path('?status=draft'), { title: 'First ' });
    seen.length = 0;
    meanwhile = () => client.put(path('?status=draft'), { title: 'Second ' });
    expect((await client.put(path('?status=published'), { price: 4 })).status).toBe(200);
    expect(seen.at(-2)).toMatchObject({ title: 'Second ' });
    expect((await client.get(path())).body.data.attributes).toMatchObject({ title: 'Second', price: 4 });
  },
);

test('an entry with a copy is published at a time, as it is prepared then', async () => {
  const type = client.service.registry.contentTypes.get(uid) as ContentType;
  const publishAt = '2090-01-01T08:00:00.000Z';
  const schedule = async (): Promise<unknown> =>
    request(client.service.url)
      .post(path('/schedule'))
      .auth(client.service.token, { type: 'bearer' })
      .send({ publishAt });
  const run = async (): Promise<readonly unknown[]> => {
    const now = new Date(Date.parse(publishAt) + 1);
    const { database, documents } = client.service;
    const due = await openSchedules(database.db).find(type, { dueBy: now, limit: 10 });
    return Promise.all(due.map((entry) => documents.schedules.run(type, entry, now)));
  };
  await schedule();
  await client.put(path('?status=draft'), { title: 'Later' });
  expect(await run()).toEqual(['done']);
  expect(await titleOf(path())).toBe('Later');
  await schedule();
  expect(await run()).toEqual(['unchanged']);
});

test('who wrote last is who prepared a change, for those who may see it', async () => {
  const { documents, registry } = client.service;
  const type = registry.contentTypes.get(uid) as ContentType;
  const editor = (user: number, isAllowed = true): Caller => ({
    kind: 'user',
    user,
    may: (action) => isAllowed || !action.endsWith('.find.drafts'),
  });
  const write = (user: number, title: string, status?: 'draft') =>
    documents.update(
      { type, id },
      { title },
      {
        caller: editor(user),
        presenter: plainEntry,
        selection: { fields: [], populate: [] },
        ...(status && { status }),
      },
    );
  const lastWriter = async (isAllowed = true): Promise<unknown> =>
    (await documents.writersOf(type, id, editor(1, isAllowed))).updatedBy;
  await write(7, 'Corrected');
  expect(await lastWriter()).toBe(7);
  await write(8, 'Prepared', 'draft');
  expect([await lastWriter(), await lastWriter(false)]).toEqual([8, 7]);
});
