import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { commandsOf } from '../../../tests/support/commands.js';
import { declare, keyOf } from '../../../tests/support/access.js';
import { useService, type Answer } from '../../../tests/support/service.js';

/** What the recorded writes do not show: rights, conditions, repetition, and others who write at the same time. */
const seen: unknown[] = [];
const tag = 'api::tag.tag';
const article = 'api::article.article';
const product = 'api::product.product';
const client = useService({
  plugins: { strapi5: true, i18n: { config: { locales: ['en', 'fr', 'de'] } } },
  environment: { DRAFTS: 'restricted' },
  extension: {
    guards: {
      [`${product}.create`]: {
        policies: [
          ({ body }) => {
            const { data } = body as { data: Record<string, unknown> };
            seen.push(data);
            data['name'] = 'Named by a guard';
            return true;
          },
        ],
      },
      'api::page.page.create': {
        policies: [
          ({ body }) => {
            (body as { data: Record<string, unknown> }).data['publishedAt'] = null;
            return true;
          },
        ],
      },
      'api::category.category.delete': { policies: [() => true] },
    },
  },
});

type Send = (
  method: 'get' | 'post' | 'put' | 'delete',
  path: string,
  data?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>;

const as =
  (token: () => string): Send =>
  async (method, path, data, headers = {}) => {
    const { [method]: open } = request(client.service.url);
    const sending = open(`/v5/api/${path}`).auth(token(), { type: 'bearer' }).set(headers);
    return data === undefined ? sending : sending.send({ data });
  };
const send = as(() => client.service.token);
const by = (name: string): Send => as(() => keyOf(name));

const created = async (plural: string, data: object): Promise<string> => {
  const { status, body } = await send('post', plural, data);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.data.documentId as string;
};
const outcome = ({ status, body }: Answer): unknown => [
  status,
  body?.error?.message ?? body?.data?.title ?? body?.data?.name,
];

beforeAll(async () => {
  const all = (uid: string): readonly string[] =>
    ['find', 'findOne', 'create', 'update', 'delete'].map((name) => `${uid}.${name}`);
  await declare(
    client.service,
    {},
    {
      writer: [...all(article), ...all(tag)],
      updater: [`${article}.find`, `${article}.findOne`, `${article}.update`],
      // May write articles, but not read tags.
      narrow: all(article),
      ruled: [{ action: `${tag}.find`, where: { name: { $ne: 'Secret' } } }, ...all(article)],
    },
  );
});
beforeEach(() => void seen.splice(0));

describe('data', () => {
  test.each([
    [{ name: 'x', nope: 1 }, 'Invalid key nope', { key: 'nope', path: null, source: 'body' }],
    [{ name: 'x', documentId: 'a' }, 'Invalid key documentId', { key: 'documentId', source: 'body' }],
    [{ name: 'x', createdBy: 1 }, 'Invalid key createdBy', { key: 'createdBy', path: 'createdBy', source: 'body' }],
  ])('%j is refused with its place', async (data, message, details) => {
    const { status, body } = await send('post', 'tags', data);
    expect([status, body.error]).toEqual([400, { status: 400, name: 'ValidationError', message, details }]);
  });

  test.each([
    [{ tags: { nope: 1 } }, 'nope'],
    [{ tags: [{ nope: 1 }] }, 'nope'],
    [{ tags: { connect: [{ nope: 1 }] } }, 'nope'],
    [{ tags: { set: [], nope: 1 } }, 'nope'],
    // Only a change has these.
    [{ tags: [{ id: 1, status: 'draft' }] }, 'status'],
    [{ tags: [{ id: 1, position: { start: true } }] }, 'position'],
  ])('%j is refused, also of an entry that is there, and changes nothing', async (relation, key) => {
    const message = `Invalid key ${key} at tags`;
    const refused = {
      status: 400,
      name: 'ValidationError',
      message,
      details: { key, path: 'tags', source: 'body' },
    };
    const shown = await created('tags', { name: JSON.stringify(relation) });
    const documentId = await created('articles', { title: 'Before', tags: [shown] });
    for (const answer of [
      await send('post', 'articles', { title: 'Never', ...relation }),
      await send('put', `articles/${documentId}`, { title: 'After', ...relation }),
    ])
      expect([answer.status, answer.body.error]).toEqual([400, refused]);
    const { body } = await send('get', `articles/${documentId}?fields=title&populate=tags`);
    expect(body.data).toMatchObject({ title: 'Before', tags: [{ documentId: shown }] });
    expect((await send('get', 'articles?filters[title]=Never&status=draft')).body.data).toEqual([]);
  });

  test('of an entry that is not there is refused like that of one that is', async () => {
    const documentId = await created('articles', { title: 'There' });
    const outcomes = (data: object): Promise<readonly unknown[]> =>
      Promise.all([documentId, 'missing'].map(async (id) => outcome(await send('put', `articles/${id}`, data))));
    for (const [data, message] of [
      [{ nope: 1 }, 'Invalid key nope'],
      [{ tags: ['nothing'] }, 'Document with id "nothing", locale "null" not found'],
    ] as const)
      expect(await outcomes(data)).toEqual([400, 400].map((status) => [status, message]));
    expect(await outcomes({ title: 'Written' })).toEqual([
      [200, 'Written'],
      [404, 'Not Found'],
    ]);
  });

  // Seen of Strapi 5.54.
  test('in an error about all of it, has entries as objects, and values as they are cast', async () => {
    const { body } = await send('post', 'articles', {
      title: 'x',
      featured: 'true',
      rating: '2.5',
      author: null,
      tags: { connect: [99_999, { id: 99_998 }] },
      cover: 99_999,
      links: [{ label: 'One', url: 'https://example.com', priority: '7' }],
      blocks: [{ __component: 'blocks.quote', text: 'x', source: 99_997, mentions: [99_996] }],
    });
    expect(body.error.details.errors).toEqual([expect.objectContaining({ path: [], name: 'ValidationError' })]);
    expect(body.error.details.errors[0].value).toMatchObject({
      featured: true,
      rating: 2.5,
      author: null,
      tags: { connect: [{ id: 99_999 }, { id: 99_998 }] },
      cover: { set: [{ id: 99_999 }] },
      links: [{ priority: 7 }],
      blocks: [{ source: { set: [{ id: 99_997 }] }, mentions: { set: [{ id: 99_996 }] } }],
    });
  });

  test('a relation to a type that the caller may not list is refused, and one to a hidden entry does not exist', async () => {
    const shown = await created('tags', { name: 'Shown' });
    const secret = await created('tags', { name: 'Secret' });
    const naming = (documentId: string): object => ({ title: 'x', tags: [documentId] });
    expect(outcome(await by('narrow')('post', 'articles', naming(shown)))).toEqual([400, 'Invalid key tags']);
    expect(outcome(await by('ruled')('post', 'articles', naming(shown)))).toEqual([201, 'x']);
    const missing = (documentId: string): string => `Document with id "${documentId}", locale "null" not found`;
    expect(outcome(await by('ruled')('post', 'articles', naming(secret)))).toEqual([400, missing(secret)]);
    expect(outcome(await by('ruled')('post', 'articles', naming('nothing')))).toEqual([400, missing('nothing')]);
  });

  test('an entry that is deleted after it was found by its documentId is missing like one with a number', async () => {
    const documentId = await created('tags', { name: 'Deleted' });
    const { body } = await send('get', `tags/${documentId}`);
    const { documents, registry } = client.service;
    const { identify } = documents;
    const type = registry.contentTypes.get(tag);
    const [found] = type === undefined ? [] : await identify(type, [documentId]);
    await send('delete', `tags/${documentId}`);
    const late = await send('post', 'articles', { title: 'x', tags: [found?.id] });
    expect(body.data.id).toBe(found?.id);
    expect(outcome(late)).toEqual([400, '1 relation(s) of type api::tag.tag associated with this entity do not exist']);
  });

  test('documents of one type are found with one command, wherever they are', async () => {
    const tags = [await created('tags', { name: 'First' }), await created('tags', { name: 'Second' })];
    const { body } = await send('get', 'tags?sort=id&filters[name][$in][0]=First&filters[name][$in][1]=Second');
    const numbers = body.data.map(({ id }: { id: number }) => id);
    const data = (named: readonly unknown[]): object => ({
      title: 'x',
      tags: { connect: named },
      blocks: [{ __component: 'blocks.quote', text: 'x', mentions: named }],
    });
    const post = (named: readonly unknown[]) => commandsOf(client.service, () => send('post', 'articles', data(named)));
    const [byNumber, byDocument] = [await post(numbers), await post(tags)];
    const reads = (names: readonly string[]): number => names.filter((name) => name === 'find').length;
    expect(reads(byDocument)).toBe(reads(byNumber) + 1);
  });

  test('entries are written as JSON', async () => {
    const sent = await request(client.service.url)
      .post('/v5/api/tags')
      .auth(client.service.token, { type: 'bearer' })
      .field('data', '{"name":"x"}');
    expect([sent.status, sent.body.error.message]).toEqual([400, expect.stringContaining('written as JSON')]);
  });
});

test.each([
  ['{"a":[1]}', { a: [1] }],
  ['"{\\"a\\":1}"', { a: 1 }],
  ['5', 5],
  ['"x"', '"x"'],
  ['hello', 'hello'],
  ['', ''],
])('the JSON text %j is read as its value, at all levels', async (sent, value) => {
  const data = { title: 'x', meta: sent, seo: { metaTitle: 'x', openGraph: { ogTitle: 'x', extra: sent } } };
  const documentId = await created('articles', data);
  const { body } = await send('get', `articles/${documentId}?status=draft&populate[seo][populate]=*`);
  expect([body.data.meta, body.data.seo.openGraph.extra]).toEqual([value, value]);
});

test('an entry that is connected twice in two forms is connected once', async () => {
  const [first, second] = [await created('tags', { name: 'first' }), await created('tags', { name: 'second' })];
  const connect = [first, second, { documentId: first }];
  const documentId = await created('articles', { title: 'x', tags: { connect } });
  const { body } = await send('get', `articles/${documentId}?status=draft&populate[tags][fields]=name`);
  expect(body.data.tags.map(({ name }: { readonly name: string }) => name)).toEqual(['first', 'second']);
});

test('a JSON text has the limits of its value', async () => {
  const meta = JSON.stringify(Array.from({ length: 50_001 }, () => 1));
  const refused = await send('post', 'articles', { title: 'x', meta });
  expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining('JSON_LIMIT')]);
  const levels = 40_000;
  const deep = await send('post', 'articles', { title: 'x', meta: `${'['.repeat(levels)}${']'.repeat(levels)}` });
  expect([deep.status, deep.body.error.message]).toEqual([400, expect.stringContaining('levels')]);
});

describe('a document', () => {
  test('has each locale once, whoever adds it at the same time', async () => {
    const documentId = await created('articles', { title: 'One' });
    const added = await Promise.all(
      ['a', 'b', 'c'].map((title) => send('put', `articles/${documentId}?locale=fr`, { title })),
    );
    expect(added.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { body } = await send('get', `articles?locale=*&status=draft&filters[documentId]=${documentId}`);
    expect(body.data.map(({ locale }: { locale: string }) => locale).toSorted()).toEqual(['en', 'fr']);
  });

  test('gets no locale from who may only update, or may not see it', async () => {
    const documentId = await created('articles', { title: 'One' });
    const put = `articles/${documentId}?locale=de`;
    expect((await by('updater')('put', put, { title: 'Eins' })).status).toBe(403);
    expect((await by('writer')('put', put, { title: 'Eins' })).status).toBe(200);
    const { body } = await send('post', 'articles?status=draft', { title: 'Hidden' });
    expect((await by('writer')('put', `articles/${body.data.documentId}?locale=de`, { title: 'x' })).status).toBe(404);
  });

  test('is deleted in one locale, or in all together', async () => {
    const documentId = await created('articles', { title: 'One' });
    for (const locale of ['fr', 'de']) await send('put', `articles/${documentId}?locale=${locale}`, { title: locale });
    const left = async (): Promise<readonly string[]> =>
      (await send('get', `articles?locale=*&filters[documentId]=${documentId}&sort=locale`)).body.data.map(
        ({ locale }: { locale: string }) => locale,
      );
    const deleted = await send('delete', `articles/${documentId}?locale=fr`);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect(await left()).toEqual(['de', 'en']);
    expect((await send('delete', `articles/${documentId}?locale=*`)).status).toBe(204);
    expect(await left()).toEqual([]);
  });

  test('keeps what is published while a draft is saved, which only who sees drafts may do', async () => {
    const documentId = await created('articles', { title: 'Published' });
    const path = `articles/${documentId}`;
    expect((await by('writer')('put', `${path}?status=draft`, { title: 'x' })).status).toBe(403);
    expect(outcome(await send('put', `${path}?status=draft`, { title: 'Draft' }))).toEqual([200, 'Draft']);
    // Who does not see what is prepared does not publish it.
    expect(outcome(await by('writer')('put', path, { summary: 'A summary' }))).toEqual([200, 'Published']);
    expect(outcome(await send('put', path, {}))).toEqual([200, 'Draft']);
    expect(outcome(await send('get', path))).toEqual([200, 'Draft']);
  });

  test('is written and deleted as it was read, by If-Match', async () => {
    const documentId = await created('articles', { title: 'One' });
    const path = `articles/${documentId}`;
    const { etag = '' } = (await send('get', path)).headers;
    const match = { 'if-match': etag };
    expect(outcome(await send('put', path, { title: 'Two' }, match))).toEqual([200, 'Two']);
    expect((await send('put', path, { title: 'Three' }, match)).status).toBe(412);
    expect((await send('delete', path, undefined, match)).status).toBe(412);
    expect((await send('put', `${path}?locale=fr`, { title: 'Un' }, match)).status).toBe(412);
    expect(outcome(await send('get', path))).toEqual([200, 'Two']);
  });
});

test('a request with a key is executed once', async () => {
  const headers = { 'idempotency-key': 'once' };
  const [first, second] = [
    await send('post', 'tags', { name: 'Once' }, headers),
    await send('post', 'tags', { name: 'Once' }, headers),
  ];
  expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
  expect(second.headers['idempotent-replayed']).toBe('true');
});

test('a dry run stores nothing', async () => {
  const { status, body } = await send('post', 'tags?dryRun=true', { name: 'Dry' });
  expect([status, body.data.name]).toEqual([201, 'Dry']);
  expect((await send('get', 'tags?filters[name]=Dry')).body.data).toEqual([]);
});

test('a dry run checks a draft and its publication, and is refused where a draft of a published entry takes part', async () => {
  const { body } = await send('post', 'articles?status=draft', { slug: 'dry' });
  const draft = `articles/${body.data.documentId}?dryRun=true&status`;
  expect(outcome(await send('put', `${draft}=draft`, { title: 'Two' }))).toEqual([200, 'Two']);
  expect((await send('put', `${draft}=published`, {})).status).toBe(400);
  expect(outcome(await send('put', `${draft}=published`, { title: 'Two' }))).toEqual([200, 'Two']);
  expect((await send('get', `articles/${body.data.documentId}`)).status).toBe(404);
  const path = `articles/${await created('articles', { title: 'One' })}`;
  expect(outcome(await send('put', `${path}?dryRun=true`, { title: 'Two' }))).toEqual([200, 'Two']);
  expect((await send('put', `${path}?dryRun=true&status=draft`, { title: 'Two' })).status).toBe(400);
  await send('put', `${path}?status=draft`, { title: 'Prepared' });
  expect((await send('put', `${path}?dryRun=true`, {})).status).toBe(400);
  expect(outcome(await send('get', path))).toEqual([200, 'One']);
});

describe('guards of the project', () => {
  test('know related entries by their numbers, and what they change is written', async () => {
    const { body } = await send('post', 'authors', { name: 'Ada' });
    const { id, documentId } = body.data;
    const sold = await send('post', 'products', { sku: 'A-1', name: 'x', vendor: documentId });
    expect(outcome(sold)).toEqual([201, 'Named by a guard']);
    expect(seen).toEqual([expect.objectContaining({ vendor: id })]);
  });

  test('save a draft in place of what would be published', async () => {
    const hero = { label: 'x' };
    const layout = [{ __component: 'blocks.text', content: 'x' }];
    const { status, body } = await send('post', 'pages', { title: 'x', path: '/x', hero, layout });
    expect([status, (await send('get', `pages/${body.data.documentId}`)).status]).toEqual([201, 404]);
  });

  test('decide about each locale', async () => {
    const documentId = await created('categories', { name: 'News' });
    expect((await send('delete', `categories/${documentId}?locale=*`)).status).toBe(400);
    expect((await send('delete', `categories/${documentId}`)).status).toBe(204);
  });
});

test('what is written below one address is the same entry below the other', async () => {
  const documentId = await created('tags', { name: 'Both' });
  const { id } = (await send('get', `tags/${documentId}`)).body.data;
  expect((await client.put(`/api/tags/${id}`, { color: 'red' })).body.data.attributes).toMatchObject({ name: 'Both' });
  expect((await send('put', `tags/${documentId}`, { name: 'Again' })).body.data).toMatchObject({ id, color: 'red' });
  expect((await client.get(`/api/tags/${id}`)).text).not.toContain(documentId);
});
