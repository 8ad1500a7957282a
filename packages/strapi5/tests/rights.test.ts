import { beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { declare, keyOf } from '../../../tests/support/access.js';
import { useService, type Answer } from '../../../tests/support/service.js';

/** Rights through Strapi 5's addresses: the same as through those of Strapi v4. */
const client = useService({
  plugins: { strapi5: true, i18n: { config: { locales: ['en', 'fr'] } } },
  environment: { DRAFTS: 'restricted' },
});

const articles = 'api::article.article';
const reading = (...uids: readonly string[]): readonly string[] =>
  uids.flatMap((uid) => [`${uid}.find`, `${uid}.findOne`]);

const documentIds = new Map<string, string>();
const get = async (path: string, token: string): Promise<Answer> =>
  request(client.service.url).get(`/v5/api/${path}`).auth(keyOf(token), { type: 'bearer' });
const titlesOf = async (path: string, token: string): Promise<readonly string[]> => {
  const { status, body } = await get(path, token);
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  return body.data.map(({ title, name }: { title?: string; name?: string }) => title ?? name);
};

beforeAll(async () => {
  const { create } = client;
  const author = await create('authors', { name: 'Ann' });
  const tag = await create('tags', { name: 'Shown' });
  await create('articles', { title: 'Published', author, tags: [tag] });
  await create('articles', { title: 'Hidden', author, tags: [tag], publishedAt: null });
  await declare(
    client.service,
    {},
    {
      reader: reading(articles, 'api::author.author', 'api::tag.tag'),
      editor: [...reading(articles, 'api::author.author', 'api::tag.tag'), `${articles}.find.drafts`],
      writer: [...reading(articles), `${articles}.create`, `${articles}.update`],
      updater: [...reading(articles), `${articles}.update`],
      narrow: reading(articles, 'api::tag.tag'),
      ruled: [
        { action: `${articles}.find`, fields: ['title', 'author', 'tags'], where: { title: 'Published' } },
        { action: 'api::tag.tag.find', fields: ['name', 'articles'] },
        'api::author.author.find',
      ],
    },
  );
  for (const [type, field] of [
    ['articles', 'title'],
    ['tags', 'name'],
    ['authors', 'name'],
  ] as const) {
    const { body } = await client.get(`/v5/api/${type}?status=draft`);
    for (const entry of body.data) documentIds.set(entry[field], entry.documentId);
  }
});

describe('drafts do not exist for callers without the right to them', () => {
  test.each([
    ['articles?status=draft', ['Published']],
    ['articles?status=draft&publicationFilter=never-published', []],
    ['articles?status=draft&publicationFilter=never-published-document', []],
    ['articles?status=draft&hasPublishedVersion=false', []],
    ['articles?status=draft&filters[publishedAt][$null]=true', ['Published']],
    ['articles?status=draft&_q=Hidden', []],
    ['tags?filters[articles][title]=Hidden', []],
    ['tags?status=draft&filters[articles][title]=Hidden', []],
    ['authors?status=draft&filters[articles][title][$startsWith]=Hid', []],
    ['articles?status=draft&filters[author][articles][title]=Hidden', []],
  ])('%s', async (path, titles) => {
    expect(await titlesOf(path, 'reader')).toEqual(titles);
  });

  test('neither by their documentId nor behind relations, and they are not counted', async () => {
    const hidden = documentIds.get('Hidden');
    expect((await get(`articles/${hidden}?status=draft`, 'reader')).status).toBe(404);
    expect((await get(`articles/${hidden}`, 'editor')).status).toBe(404);
    expect((await get(`articles/${hidden}?status=draft`, 'editor')).body.data.title).toBe('Hidden');
    const populate = 'populate[articles][fields][0]=title';
    const ofTag = `tags/${documentIds.get('Shown')}?status=draft`;
    const shown = async (token: string): Promise<readonly string[]> =>
      (await get(`${ofTag}&${populate}`, token)).body.data.articles.map(({ title }: { title: string }) => title);
    expect([await shown('reader'), await shown('editor')]).toEqual([['Published'], ['Published', 'Hidden']]);
    const counted = await get(`${ofTag}&populate[articles][count]=true`, 'reader');
    expect(counted.body.data.articles).toEqual({ count: 1 });
  });
});

test('the errors of a write tell nothing of drafts that the caller may not see', async () => {
  const { id } = (await client.get('/api/articles?publicationState=preview&filters[title]=Hidden')).body.data[0];
  const write = async (related: string | number): Promise<unknown> => {
    const named = typeof related === 'number' ? `"id":${related}` : related;
    const sent = request(client.service.url).post('/v5/api/articles').auth(keyOf('writer'), { type: 'bearer' });
    const { status, text } = await sent.send({ data: { title: 'x'.repeat(200), views: 'many', related: [related] } });
    return [status, text.replaceAll(named, '…')];
  };
  expect(await write(id)).toEqual(await write(4711));
  expect(await write(String(documentIds.get('Hidden')))).toEqual(await write('c0123456789012345678901a'));
});

test('a language that is hidden from a caller is neither changed nor created again', async () => {
  const address = `/v5/api/articles/${documentIds.get('Published')}?locale=fr`;
  const write = async (token: string, query: string, title: string): Promise<number> => {
    const sent = request(client.service.url).put(`${address}${query}`).auth(token, { type: 'bearer' });
    return (await sent.send({ data: { title } })).status;
  };
  expect(await write(keyOf('updater'), '', 'Volé')).toBe(403);
  expect(await write(client.service.token, '&status=draft', 'Caché')).toBe(200);
  expect(await write(keyOf('updater'), '', 'Volé')).toBe(403);
  expect(await write(keyOf('writer'), '', 'Volé')).toBe(400);
  const { body } = await client.get(`${address}&status=draft`);
  expect(body.data.title).toBe('Caché');
  expect(await client.service.entries.count(articles, { filters: { locale: 'fr' } })).toBe(1);
});

test('what is prepared of published entries is not told by publicationFilter', async () => {
  const address = `/v5/api/articles/${documentIds.get('Published')}?status=draft`;
  const save = request(client.service.url).put(address).auth(client.service.token, { type: 'bearer' });
  await save.send({ data: { summary: 'prepared' } }).expect(200);
  const shown = async (filter: string, token: string) => titlesOf(`articles?publicationFilter=${filter}`, token);
  for (const token of ['reader', 'writer']) {
    expect(await shown('modified', token)).toEqual([]);
    expect(await shown('unmodified', token)).toEqual(['Published']);
  }
  expect(await shown('modified', 'editor')).toEqual(['Published']);
  expect(await shown('unmodified', 'editor')).toEqual([]);
});

describe('relations to what the caller may not list', () => {
  test('are left out where they are populated', async () => {
    const { body } = await get('articles?fields[0]=title&populate=*', 'narrow');
    expect(body.data[0]).not.toHaveProperty('author');
    expect(body.data[0].tags).toHaveLength(1);
  });

  test.each([
    ['filters[author][name]=Ann', 'author', 'author', 'filters'],
    ['filters[$or][0][author][name][$eq]=Ann', 'author', 'author', 'filters'],
    ['filters[author][documentId]=x', 'author', 'author', 'filters'],
    ['filters[tags][articles][author][id]=1', 'author', 'tags.articles.author', 'filters'],
    ['sort=author.name', 'author', 'author', 'sort'],
    ['sort[author][documentId]=asc', 'author', 'author', 'sort'],
    ['populate[tags][filters][articles][author][name]=Ann', 'author', 'tags.articles.author', 'populate'],
  ])('are refused in %s', async (query, key, path, param) => {
    const { status, body } = await get(`articles?${query}`, 'narrow');
    expect([status, body.error.details]).toEqual([400, { key, path, source: 'query', param }]);
  });
});

describe('rules', () => {
  test('hide entries', async () => {
    expect(await titlesOf('articles?fields[0]=title&status=draft', 'ruled')).toEqual(['Published']);
    const { body } = await get('tags?status=draft&populate[articles][fields][0]=title', 'ruled');
    expect(body.data[0].articles.map(({ title }: { title: string }) => title)).toEqual(['Published']);
  });

  test.each([
    'articles?fields[0]=slug',
    'articles?filters[slug][$null]=true',
    'articles?sort=slug',
    'articles?filters[$not][updatedAt][$gt]=2020-01-01',
    'tags?filters[articles][slug]=x',
    // Of a type without drafts, it is the time of the last write.
    'tags?fields[0]=publishedAt',
    'tags?filters[publishedAt][$gt]=2020-01-01',
    'tags?sort=publishedAt',
    'articles?populate[tags][sort]=publishedAt',
  ])('withhold attributes: %s', async (path) => {
    expect((await get(path, 'ruled')).status).toBe(400);
  });

  test('withhold an attribute by all of its names', async () => {
    const { body } = await get('tags?populate=articles', 'ruled');
    expect(Object.keys(body.data[0]).toSorted()).toEqual(['articles', 'documentId', 'id', 'name']);
    expect(Object.keys(body.data[0].articles[0]).toSorted()).toEqual(['documentId', 'id', 'title']);
  });
});
