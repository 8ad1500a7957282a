import { beforeAll, expect, test } from '@jest/globals';
import request from 'supertest';
import { declare, keyOf } from '../../../support/access.js';
import { commandsOf } from '../../../support/commands.js';
import { useService } from '../../../support/service.js';

const client = useService({ plugins: { i18n: { config: { locales: ['en', 'fr', 'fr-CA'] } } } });
const { create, get } = client;

let author: number;

/** Creates an entry with these titles, by locale. Those with a question mark are drafts. */
async function createGroup(titles: Readonly<Record<string, string>>): Promise<void> {
  const { entries } = client.service;
  let first: number | undefined;
  for (const [locale, text] of Object.entries(titles)) {
    const title = text.replace('?', '');
    const publishedAt = text.endsWith('?') ? null : new Date().toISOString();
    const localizations = first === undefined ? [] : [first];
    const data = { title, slug: title, locale, localizations, publishedAt, author };
    const { id } = await entries.create('api::article.article', data);
    first ??= id;
  }
}

beforeAll(async () => {
  author = await create('authors', { name: 'Ida' });
  await createGroup({ en: 'bread', fr: 'pain', 'fr-CA': 'pain-ca' });
  await createGroup({ en: 'salt', fr: 'sel' });
  await createGroup({ en: 'rye', 'fr-CA': 'seigle?' });
  await createGroup({ en: 'oats?' });
  await client.put('/api/homepage', { title: 'home', publishedAt: new Date().toISOString() });
});

const titlesIn = (list: readonly { readonly attributes: { readonly title: string } }[]): readonly string[] =>
  list.map(({ attributes }) => attributes.title).toSorted();

test.each([
  ['locale=fr-CA&fallbackLocale=fr,en', ['pain-ca', 'rye', 'sel']],
  ['locale=fr-CA&fallbackLocale[]=fr&fallbackLocale[]=en', ['pain-ca', 'rye', 'sel']],
  ['locale=fr-CA&fallbackLocale=fr,en&publicationState=preview', ['oats', 'pain-ca', 'seigle', 'sel']],
  ['locale=fr&fallbackLocale=en', ['pain', 'rye', 'sel']],
  ['locale=fr-CA&fallbackLocale=fr', ['pain-ca', 'sel']],
  ['fallbackLocale=fr', ['bread', 'rye', 'salt']],
  ['locale=xx&fallbackLocale=xx,fr', ['pain', 'sel']],
  ['locale=fr-CA&fallbackLocale=fr,en&filters[title][$startsWith]=s', ['sel']],
  ['locale=fr-CA&fallbackLocale=fr,en&filters[title]=bread', []],
])('a list with %s has each entry once', async (query, expected) => {
  const { body } = await get(`/api/articles?fields=title&${query}`);
  expect(titlesIn(body.data)).toEqual(expected);
  expect(body.meta.pagination.total).toBe(expected.length);
  expect((await get(`/api/articles/count?${query}`)).body.data.count).toBe(expected.length);
});

test('pages of such a list have each entry once', async () => {
  const pages = await Promise.all(
    [1, 2, 3].map((page) =>
      get(`/api/articles?locale=fr-CA&fallbackLocale=fr,en&sort=title&pagination[pageSize]=1&pagination[page]=${page}`),
    ),
  );
  expect(pages.flatMap(({ body }) => titlesIn(body.data))).toEqual(['pain-ca', 'rye', 'sel']);
});

/** The title in the response to a read of one entry, or its status. */
const readOne = async (path: string): Promise<string | number> => {
  const { status, body } = await get(path);
  return status === 200 ? body.data.attributes.title : status;
};

test.each([
  ['bread', 'locale=fr-CA&fallbackLocale=fr,en', 'pain-ca'],
  ['pain-ca', 'locale=fr&fallbackLocale=en', 'pain'],
  ['pain', 'locale=xx&fallbackLocale=en', 'bread'],
  ['salt', 'locale=fr-CA&fallbackLocale=fr', 'sel'],
  ['salt', 'fallbackLocale=fr', 'salt'],
  ['salt', 'locale=fr-CA&fallbackLocale=xx', 404],
  ['rye', 'locale=fr-CA&fallbackLocale=en', 'rye'],
  ['rye', 'locale=fr-CA&fallbackLocale=en&publicationState=preview', 'seigle'],
  ['oats', 'locale=fr&fallbackLocale=en', 404],
])('one entry, %s with %s, is in the first locale that there is of it', async (title, query, expected) => {
  const { id } = (await get(`/api/articles?locale=all&publicationState=preview&filters[title]=${title}`)).body.data[0];
  expect(await readOne(`/api/articles/${id}?${query}`)).toBe(expected);
  expect(await readOne(`/api/articles/by/slug/${title}?${query}`)).toBe(expected);
});

test('one entry by its id takes one command', async () => {
  const { body } = await get('/api/articles?locale=en&filters[title]=bread');
  const [{ id }] = body.data;
  const explained = await get(`/api/articles/${id}?locale=fr-CA&fallbackLocale=fr,en&explain=true`);
  expect(explained.body.data.attributes.title).toBe('pain-ca');
  expect(explained.body.explain.before).toEqual([]);
});

test('a list reads the drafts of all locales but the last, and merges the locales before it rejects entries', async () => {
  const { body } = await get('/api/articles?locale=fr-CA&fallbackLocale=fr,en&explain=true');
  const { before, main } = body.explain;
  expect(before).toHaveLength(2);
  expect(JSON.stringify(main.plan)).toMatch(/"FETCH","filter":.*"SORT_MERGE".*"IXSCAN"/);
});

test('a list reads these ids again only if an entry of the type was written', async () => {
  const { service } = client;
  const path = '/api/articles?locale=fr-CA&fallbackLocale=fr,en&pagination[withCount]=false';
  const commands = () => commandsOf(service, () => get(path));
  await get(path);
  expect(await commands()).toEqual(['versions', 'aggregate']);
  const { data } = (await get('/api/articles?filters[title]=salt')).body;
  await service.entries.update('api::article.article', data[0].id, { score: 1 });
  expect((await commands()).toSorted()).toEqual(['aggregate', 'find', 'find', 'versions']);
});

test('a draft does not lead to other localizations', async () => {
  expect(await readOne('/api/articles/by/slug/seigle?locale=en&fallbackLocale=fr-CA')).toBe(404);
});

test('entries that the caller may not read neither lead to localizations nor take their place', async () => {
  const where = { title: { $startsWith: 'p' } };
  await declare(client.service, {}, { reader: [{ action: 'api::article.article.findOne', where }] });
  const { body } = await get('/api/articles?locale=all&filters[title][$in]=bread&filters[title][$in]=pain&sort=title');
  const [bread, pain] = body.data.map(({ id }: { readonly id: number }) => id);
  const read = async (path: string) => {
    const sent = request(client.service.url).get(`/api/articles/${path}`).auth(keyOf('reader'), { type: 'bearer' });
    const response = await sent;
    return response.status === 200 ? response.body.data.attributes.title : response.status;
  };
  for (const [named, expected] of [
    [bread, 404],
    ['by/slug/bread', 404],
    [pain, 'pain'],
    ['by/slug/pain', 'pain'],
  ] as const)
    expect([named, await read(`${named}?locale=en&fallbackLocale=fr`)]).toEqual([named, expected]);
});

test('single types fall back', async () => {
  expect((await get('/api/homepage?locale=fr')).status).toBe(404);
  expect((await get('/api/homepage?locale=fr&fallbackLocale=en')).body.data.attributes.title).toBe('home');
});

test('a populated relation has each entry once', async () => {
  const read = async (query: string) => {
    const { body } = await get(`/api/authors/${author}?${query}`);
    return titlesIn(body.data.attributes.articles.data);
  };
  const live = 'populate[articles][publicationState]=live';
  expect(await read(`${live}&populate[articles][locale]=fr-CA&populate[articles][fallbackLocale]=fr,en`)).toEqual([
    'pain-ca',
    'rye',
    'sel',
  ]);
  expect(await read(`${live}&populate[articles][fallbackLocale]=fr&locale=fr-CA`)).toEqual(['pain-ca', 'sel']);
  expect(await read('populate[articles][fallbackLocale]=en&locale=fr-CA')).toEqual([
    'oats',
    'pain-ca',
    'salt',
    'seigle',
  ]);
});

test.each([
  ['/api/articles?fallbackLocale=', 'fallbackLocale must be 1 to 10 locales'],
  ['/api/articles?fallbackLocale=fr,,en', 'fallbackLocale must be 1 to 10 locales'],
  ['/api/articles?fallbackLocale=all', 'fallbackLocale must be 1 to 10 locales'],
  ['/api/articles?fallbackLocale[a]=fr', 'fallbackLocale must be 1 to 10 locales'],
  [`/api/articles?fallbackLocale=${'a,'.repeat(10)}b`, 'fallbackLocale must be 1 to 10 locales'],
  ['/api/articles?locale=all&fallbackLocale=fr', 'fallbackLocale needs one locale in locale'],
  ['/api/articles?locale[]=en&fallbackLocale=fr', 'fallbackLocale needs one locale in locale'],
  ['/api/homepage?locale=all&fallbackLocale=fr', 'fallbackLocale needs one locale in locale'],
  ['/api/authors?populate[articles][fallbackLocale]=', 'populate[articles][fallbackLocale] must be 1 to 10 locales'],
  ['/api/articles/1?fallbackLocale=', 'fallbackLocale must be 1 to 10 locales'],
  ['/api/articles/1?fallbackLocale=fr&publicationState=x', 'publicationState'],
])('%s is refused', async (path, message) => {
  const { status, body } = await get(path);
  expect([status, body.error.message]).toEqual([400, expect.stringContaining(message)]);
});

test('types in one language only ignore it, like locale', async () => {
  expect((await get('/api/authors?fallbackLocale=fr')).body.data).toHaveLength(1);
});
