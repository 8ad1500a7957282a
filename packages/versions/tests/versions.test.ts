import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import type { Lifecycle } from '../../../src/plugins/contract/extension.js';
import { createTestService } from '../../../src/testing.js';
import { declare, keyOf, type Permission } from '../../../tests/support/access.js';
import { corpus, useService, type Answer } from '../../../tests/support/service.js';

const client = useService({
  plugins: {
    versions: { config: { keep: 3 } },
    i18n: { config: { locales: ['en', 'fr'] } },
    'users-permissions': { config: { rateLimit: false } },
  },
  environment: { DRAFTS: 'restricted' },
});
const uid = 'api::article.article';

interface Version {
  readonly id: number;
  readonly at: string;
  readonly by: string | null;
  readonly publishedAt?: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

const ask = async (path: string, token = client.service.token): Promise<Answer> =>
  request(client.service.url).get(`/api/${path}`).auth(token, { type: 'bearer' });
const versionsOf = async (path: string, token?: string): Promise<readonly Version[]> =>
  (await ask(`${path}/versions`, token)).body.data;
const titlesOf = async (id: number, token?: string): Promise<readonly unknown[]> =>
  (await versionsOf(`articles/${id}`, token)).map(({ data }) => data['title']);
const change = (id: number, data: object): Promise<Answer> => client.put(`/api/articles/${id}`, data);

/** The key of a token with these permissions. */
async function allow(...permissions: readonly Permission[]): Promise<string> {
  await declare(client.service, {}, { caller: permissions });
  return keyOf('caller');
}

describe('what is kept', () => {
  test('each change by other entries, in its order', async () => {
    const [ada, ben] = [
      await client.create('authors', { name: 'Ada' }),
      await client.create('authors', { name: 'Ben' }),
    ];
    const id = await client.create('articles', { title: 'Taken' });
    for (const author of [ada, ben, ada]) await client.put(`/api/authors/${author}`, { articles: [id] });
    await client.put(`/api/authors/${ada}`, { articles: [] });
    const authors = (await versionsOf(`articles/${id}`)).map(({ data }) => data['author']);
    expect(authors).toEqual([null, ada, ben]);
  });

  test('the state after each write, until the entry is deleted', async () => {
    const [ada, tag] = [await client.create('authors', { name: 'Ada' }), await client.create('tags', { name: 'Rye' })];
    const values = {
      title: 'Rye',
      bignum: '9007199254740993',
      meta: { rows: [1, null] },
      author: ada,
      tags: [tag],
      seo: { metaTitle: 'Rye' },
      blocks: [{ __component: 'blocks.quote', text: 'Said', source: ada, mentions: [tag] }],
    };
    const id = await client.create('articles', values);
    await change(id, { title: 'Wheat', blocks: [] });
    await change(id, { title: 'Wheat' });
    const [second, first, ...others] = await versionsOf(`articles/${id}`);
    expect(others).toEqual([]);
    expect(first?.data).toMatchObject(values);
    expect(Object.keys(first?.data ?? {})).not.toEqual(
      expect.arrayContaining(['publishedAt', 'locale', 'localizations']),
    );
    expect(second?.data).toMatchObject({ title: 'Wheat', tags: [tag], blocks: [] });
    // Its data is what restores it.
    await change(id, first?.data ?? {});
    const [restored] = await versionsOf(`articles/${id}`);
    expect(restored?.data).toEqual(first?.data);
    await client.delete(`/api/articles/${id}`);
    expect((await ask(`articles/${id}/versions`)).status).toBe(404);
    expect(await client.service.entries.count('admin::entry-version', { filters: { of: uid, entry: id } })).toBe(0);
  });

  test('drafts too, with the time of publication beside the values', async () => {
    const id = await client.create('articles', { title: 'Draft', publishedAt: null });
    const { body } = await change(id, { publishedAt: '2026-01-01' });
    const { publishedAt, updatedAt } = body.data.attributes;
    const [published, draft] = await versionsOf(`articles/${id}`);
    expect([published?.publishedAt, published?.at, draft?.publishedAt]).toEqual([publishedAt, updatedAt, null]);
    expect(published?.data).toEqual(draft?.data);
  });

  test('who wrote it', async () => {
    await declare(client.service, {
      public: ['plugin::users-permissions.auth.callback'],
      authenticated: [`${uid}.update`],
    });
    const user = { username: 'ann', email: 'ann@example.org', password: 'ann-writes', role: 1, confirmed: true };
    const bearer = { type: 'bearer' } as const;
    await request(client.service.url).post('/api/users').auth(client.service.token, bearer).send(user);
    const logIn = { identifier: 'ann', password: user.password };
    const { jwt } = (await request(client.service.url).post('/api/auth/local').send(logIn)).body;
    const id = await client.create('articles', { title: 'By a program' });
    const data = { title: 'By Ann' };
    await request(client.service.url).put(`/api/articles/${id}`).auth(jwt, bearer).send({ data });
    expect((await versionsOf(`articles/${id}`, jwt)).map(({ by }) => by)).toEqual(['ann', null]);
  });

  test('no more than the setting says, a page at a time', async () => {
    const id = await client.create('articles', { title: '1' });
    for (const title of ['2', '3', '4', '5']) await change(id, { title });
    expect(await titlesOf(id)).toEqual(['5', '4', '3']);
    const { body } = await ask(`articles/${id}/versions?pagination[page]=2&pagination[pageSize]=2`);
    expect(body.data).toHaveLength(1);
  });

  test('the state before the first change, of an entry that was written before', async () => {
    const ids = [await client.create('articles', { title: 'Old' }), await client.create('articles', { title: 'Old' })];
    for (const { id } of await client.service.entries.findMany('admin::entry-version', { pagination: { limit: -1 } }))
      await client.service.entries.delete('admin::entry-version', id);
    const operations = ids.map((id) => ({ update: 'articles', id, data: { title: 'New' } }));
    const sent = request(client.service.url).post('/api/batch').auth(client.service.token, { type: 'bearer' });
    expect((await sent.send({ operations })).status).toBe(200);
    for (const id of ids) expect(await titlesOf(id)).toEqual(['New', 'Old']);
  });

  test('shared values in the versions of all localizations', async () => {
    const id = await client.create('articles', { title: 'Bread', views: 1 });
    const sent = request(client.service.url).post(`/api/articles/${id}/localizations`);
    const { body: french } = await sent
      .auth(client.service.token, { type: 'bearer' })
      .send({ locale: 'fr', title: 'Pain' });
    await change(id, { views: 2 });
    const views = async (of: number): Promise<unknown> =>
      (await versionsOf(`articles/${of}`)).map(({ data }) => data['views']);
    expect([await views(id), await views(french.id)]).toEqual([
      [2, 1],
      [2, 1],
    ]);
  });

  test('json of as many levels as an entry may have', async () => {
    let meta: unknown = 'deep';
    for (let level = 1; level < 100; level += 1) meta = [meta];
    const created = await client.post('/api/articles', { title: 'Deep', meta });
    expect(created.status).toBe(200);
    const { id } = created.body.data;
    expect((await change(id, { title: 'Deeper' })).status).toBe(200);
    const [, first] = await versionsOf(`articles/${id}`);
    expect(first?.data['meta']).toEqual(meta);
    expect((await change(id, { ...first?.data })).status).toBe(200);
    expect(await titlesOf(id)).toEqual(['Deep', 'Deeper', 'Deep']);
  });

  test('versions of the entry of a single type', async () => {
    const { body } = await client.put('/api/homepage', { title: 'Welcome' });
    await client.put('/api/homepage', { title: 'Come in' });
    const versions = await versionsOf(`homepage/${body.data.id}`);
    expect(versions.map(({ data }) => data['title'])).toEqual(['Come in', 'Welcome']);
  });

  test.each(['', '?dryRun=true'])('nothing of a batch that fails or is tried%s', async (query) => {
    const id = await client.create('articles', { title: 'Kept' });
    const operations = [
      { create: 'articles', data: { title: 'New' } },
      { update: 'articles', id, data: { title: 'Changed' } },
      ...(query === '' ? [{ delete: 'articles', id: 999_999 }] : []),
    ];
    const before = await client.service.entries.count('admin::entry-version');
    const sent = request(client.service.url).post(`/api/batch${query}`).auth(client.service.token, { type: 'bearer' });
    expect((await sent.send({ operations })).status).toBe(query === '' ? 404 : 200);
    expect(await client.service.entries.count('admin::entry-version')).toBe(before);
    const single = { title: 'Tried' };
    await client.put(`/api/articles/${id}?dryRun=true`, single);
    await client.delete(`/api/articles/${id}?dryRun=true`);
    expect(await titlesOf(id)).toEqual(['Kept']);
  });
});

describe('what is shown', () => {
  test('no version by a morph relation, to nobody', async () => {
    await client.create('articles', { title: 'Kept' });
    const [stored] = await client.service.entries.findMany('admin::entry-version');
    const subject = { __type: 'admin::entry-version', id: stored?.id };
    const { body } = await client.post('/api/comments?populate=subject', { text: 'Of a version', subject });
    // As of a type that does not exist.
    expect(body.data.attributes.subject).toBeNull();
  });

  test('only to those who may change the entry', async () => {
    const [own, other] = [
      await client.create('articles', { title: 'Own' }),
      await client.create('articles', { title: 'x' }),
    ];
    const reader = await allow(`${uid}.find`, `${uid}.findOne`);
    expect((await ask(`articles/${own}/versions`, reader)).status).toBe(403);
    const writer = await allow(`${uid}.find`, { action: `${uid}.update`, where: { title: 'Own' } });
    expect(await titlesOf(own, writer)).toEqual(['Own']);
    expect((await ask(`articles/${other}/versions`, writer)).status).toBe(404);
    expect((await ask('articles/x/versions', writer)).status).toBe(404);
  });

  test('neither private values nor passwords, which are not stored', async () => {
    const id = await client.create('articles', { title: 'A', internalNote: 'a note', secret: 'a secret' });
    const [stored] = await client.service.entries.findMany('admin::entry-version', { filters: { of: uid, entry: id } });
    expect(stored?.['data']).toMatchObject({ title: 'A' });
    expect(Object.keys(stored?.['data'] ?? {})).not.toEqual(expect.arrayContaining(['internalNote']));
    expect(JSON.stringify(stored)).not.toMatch(/internalNote|secret|a note|\$2/);
  });

  test.each([
    ['read', { action: `${uid}.findOne`, fields: ['-body', '-publishedAt'] }, `${uid}.update`],
    ['write', `${uid}.findOne`, { action: `${uid}.update`, fields: ['-body', '-publishedAt'] }],
  ])('no attributes that rules do not let the caller %s', async (what, findOne, update) => {
    const id = await client.create('articles', { title: 'Shown', body: 'Hidden' });
    const [shown] = await versionsOf(`articles/${id}`, await allow(findOne, update));
    expect([shown?.data['title'], shown?.data['body']]).toEqual(['Shown', undefined]);
    expect('publishedAt' in (shown ?? {})).toBe(what === 'write');
  });

  test('no drafts to those who may not see them', async () => {
    const id = await client.create('articles', { title: 'Draft', publishedAt: null });
    await change(id, { title: 'Published', publishedAt: '2026-01-01' });
    expect(await titlesOf(id, await allow(`${uid}.update`))).toEqual(['Published']);
    expect(await titlesOf(id, await allow(`${uid}.update`, `${uid}.find.drafts`))).toEqual(['Published', 'Draft']);
  });

  test('no links to entries that are gone, or that the caller may not see', async () => {
    const [ada, bob] = [
      await client.create('authors', { name: 'Ada' }),
      await client.create('authors', { name: 'Bob' }),
    ];
    const tags = [await client.create('tags', { name: 'gone' }), await client.create('tags', { name: 'left' })];
    const blocks = [{ __component: 'blocks.quote', text: 'Said', source: bob, mentions: tags }];
    const id = await client.create('articles', { title: 'Links', author: ada, tags, blocks });
    await client.delete(`/api/tags/${tags[0]}`);
    const onlyAda = { action: 'api::author.author.find', where: { name: 'Ada' } };
    const dataFor = async (token?: string): Promise<Version['data'] | undefined> =>
      (await versionsOf(`articles/${id}`, token)).at(-1)?.data;
    const quote = { __component: 'blocks.quote', text: 'Said' };
    expect(await dataFor()).toMatchObject({ author: ada, tags: [tags[1]], blocks: [{ ...quote, source: bob }] });
    const shown = await dataFor(await allow(`${uid}.update`, onlyAda));
    expect([shown?.['author'], shown?.['blocks']]).toEqual([ada, [{ ...quote, source: null }]]);
    expect('tags' in (shown ?? {})).toBe(false);
  });
});

test('versions are not reachable as content', async () => {
  for (const path of ['entry-versions', 'entry-version', 'versions']) expect((await ask(path)).status).toBe(404);
  const { body } = await client.graphql('{ __schema { types { name } } }');
  expect(JSON.stringify(body)).not.toMatch(/entryversion/i);
  const { paths } = (await request(client.service.url).get('/documentation/openapi.json')).body;
  expect(Object.keys(paths).filter((path) => /version/.test(path))).toContain('/articles/{id}/versions');
});

const options = { contentTypes: corpus, mongodbUri: process.env['TEST_MONGODB_URI'] ?? '' };

test('an entry that is deleted while its version is stored leaves none', async () => {
  const deleteEntry: Lifecycle['beforeCreate'] = async ({ data, entries }) =>
    void (await entries.delete('api::tag.tag', Number(data['entry'])));
  const extension = { lifecycles: { 'admin::entry-version': { beforeCreate: deleteEntry } } };
  const service = await createTestService({ ...options, plugins: { versions: true }, extension });
  try {
    await service.entries.create('api::tag.tag', { name: 'Rye' });
    expect(await service.entries.count('api::tag.tag')).toBe(0);
    expect(await service.entries.count('admin::entry-version')).toBe(0);
  } finally {
    await service.close();
  }
});

describe('settings', () => {
  test.each([
    [{ keep: 0 }, 'config.keep 0 must be an integer from 1 to 100'],
    [{ keep: 101 }, 'config.keep 101 must be an integer from 1 to 100'],
    [{ types: 'articles' }, 'config.types "articles" must be a list of strings'],
    [{ types: ['api::articel.article'] }, 'did you mean "api::article.article"'],
    [{ types: ['plugin::upload.file'] }, 'plugin::upload.file'],
    [{ since: 1 }, 'config.since'],
  ])('%j is refused', async (config, message) => {
    await expect(createTestService({ ...options, plugins: { versions: { config } } })).rejects.toThrow(message);
  });

  test.each([
    ['without the plugin', {}],
    ['of other types', { versions: { config: { types: ['api::tag.tag'] } } }],
  ])('there are no versions %s', async (_, plugins) => {
    const service = await createTestService({ ...options, plugins });
    try {
      const sent = request(service.url).post('/api/articles').auth(service.token, { type: 'bearer' });
      const { id } = (await sent.send({ data: { title: 'A' } })).body.data;
      const path = `/api/articles/${id}/versions`;
      expect((await request(service.url).get(path).auth(service.token, { type: 'bearer' })).status).toBe(404);
      const collections = await service.database.db.listCollections({ name: 'entry_versions' }).toArray();
      expect(collections).toHaveLength('versions' in plugins ? 1 : 0);
    } finally {
      await service.close();
    }
  });
});
