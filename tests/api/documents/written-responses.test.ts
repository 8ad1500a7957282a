import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { useService, type Answer } from '../../support/service.js';

/**
 * A write that is stored is never answered as refused: what its query asks for is checked before, and where the
 * response turns out to be too much it has the id alone.
 */
const client = useService({
  environment: { RESPONSE_LIMIT: '6kb' },
  plugins: { i18n: { config: { locales: ['en', 'de'] } }, graphql: true },
});
const { get, post, put, create } = client;
const long = 'x'.repeat(7000);

const send = async (method: 'post' | 'put', path: string, body: object, headers = {}): Promise<Answer> =>
  request(client.service.url)[method](path).auth(client.service.token, { type: 'bearer' }).set(headers).send(body);

const stored = async (path: string): Promise<number> => (await get(`${path}&fields=id`)).body.meta.pagination.total;

const aloneIn = { status: 200, body: { data: { id: expect.any(Number), attributes: {} }, meta: { shortened: true } } };

describe('a response that is longer than RESPONSE_LIMIT', () => {
  const shown = ({ status, body }: Answer) => ({ status, body });
  const titled = (title: string): Promise<number> =>
    stored(`/api/articles?publicationState=preview&filters[title]=${title}`);

  test('of a creation has the id alone', async () => {
    const answer = await post('/api/articles', { title: 'created', body: long });
    expect(shown(answer)).toEqual(aloneIn);
    const { data } = (await get(`/api/articles/${answer.body.data.id}?fields=title`)).body;
    expect(data.attributes.title).toBe('created');
  });

  test('of a change, a deletion, and of a single type', async () => {
    const id = await create('articles', { title: 'short' });
    expect(shown(await put(`/api/articles/${id}`, { body: long }))).toEqual(aloneIn);
    expect(shown(await client.delete(`/api/articles/${id}`))).toEqual(aloneIn);
    expect((await get(`/api/articles/${id}`)).status).toBe(404);
    const highlights = [await create('articles', { title: 'other' })];
    for (let number = 0; number < 9; number += 1)
      highlights.push(await create('articles', { title: `other ${number}`, body: 'x'.repeat(1000) }));
    expect(shown(await put('/api/homepage?populate=highlights', { title: 'Home', highlights }))).toEqual(aloneIn);
    expect((await get('/api/homepage')).body.data.attributes.title).toBe('Home');
  });

  test('of a write by a key, which may create the entry', async () => {
    const path = '/api/articles/by/slug/keyed?upsert=true';
    expect(shown(await put(path, { title: 'keyed', body: long }))).toEqual({ ...aloneIn, status: 201 });
    expect(shown(await put(path, { title: 'keyed again', body: long }))).toEqual(aloneIn);
  });

  test('of a batch has the ids of all entries', async () => {
    const operations = ['batch 1', 'batch 2'].map((title) => ({ create: 'articles', data: { title, body: long } }));
    const { status, body } = await send('post', '/api/batch', { operations });
    const entry = aloneIn.body.data;
    expect({ status, body }).toEqual({ status: 200, body: { data: [entry, entry], meta: { shortened: true } } });
    expect(await titled('batch 2')).toBe(1);
  });

  test('of a new localization, which has no envelope', async () => {
    const id = await create('articles', { title: 'localized' });
    const data = { locale: 'de', title: 'lokalisiert', body: long };
    const { status, body } = await send('post', `/api/articles/${id}/localizations`, data);
    expect({ status, body }).toEqual({ status: 200, body: { id: expect.any(Number), shortened: true } });
  });

  test('of files, which have no envelope either', async () => {
    const alone = { id: expect.any(Number), shortened: true };
    const form = new FormData();
    form.append('files', new Blob(['text'], { type: 'text/plain' }), 'long.txt');
    form.append('fileInfo', JSON.stringify({ alternativeText: long }));
    const headers = { Authorization: `Bearer ${client.service.token}` };
    const uploaded = await fetch(`${client.service.url}/api/upload`, { method: 'POST', headers, body: form });
    const [file] = (await uploaded.json()) as readonly { readonly id: number }[];
    expect([uploaded.status, file]).toEqual([200, alone]);
    const address = `${client.service.url}/api/upload/files/${file?.id}`;
    expect(await (await fetch(address, { method: 'DELETE', headers })).json()).toEqual(alone);
  });

  test('is repeated by its Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'shortened' };
    const data = { title: 'once', body: long };
    const first = await send('post', '/api/articles', { data }, headers);
    const second = await send('post', '/api/articles', { data }, headers);
    expect(shown(first)).toEqual(aloneIn);
    expect([second.text, second.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    expect(await titled('once')).toBe(1);
  });

  test('of a write that is only checked is refused', async () => {
    const { status } = await post('/api/articles?dryRun=true', { title: 'dry', body: long });
    expect([status, await titled('dry')]).toEqual([400, 0]);
  });
});

describe('a query that costs too much is refused before the write', () => {
  const conditions = Array.from(
    { length: 51 },
    (_, index) => `populate[articles][filters][$or][${index}][tags][name]=${index}`,
  );
  const query = conditions.join('&');

  test.each<[string, (id: number, key: string) => Promise<Answer>]>([
    ['a creation', () => post(`/api/categories?${query}`, { name: 'refused' })],
    ['a change', (id) => put(`/api/categories/${id}?${query}`, { name: 'refused' })],
    ['a deletion', (id) => client.delete(`/api/categories/${id}?${query}`)],
    [
      'a mutation',
      (id) =>
        client.graphql(
          `mutation ($id: ID!) { updateCategory(id: $id, data: { name: "refused" }) { data { id attributes { articles(filters: { or: [${Array.from(
            { length: 51 },
            (_, index) => `{ tags: { name: { eq: "${index}" } } }`,
          ).join(' ')}] }) { data { id } } } } } }`,
          { id },
        ),
    ],
  ])('%s', async (name, write) => {
    const id = await create('categories', { name: `kept by ${name}` });
    const { text } = await write(id, name);
    expect(text).toContain('The query asks for too much: at most 50 relations in filters');
    expect(await stored('/api/categories?filters[name]=refused')).toBe(0);
    expect((await get(`/api/categories/${id}`)).status).toBe(200);
  });
});

test('a mutation that reads the entry after its write is refused before it', async () => {
  const id = await create('articles', { title: 'source' });
  const filters = Array.from({ length: 51 }, (_, index) => `{ articles: { title: { eq: "${index}" } } }`).join(' ');
  const { text } = await client.graphql(
    `mutation ($id: ID!) { createArticleLocalization(id: $id, locale: "de", data: { title: "refused" }) {
      data { id attributes { tags(filters: { or: [${filters}] }) { data { id } } } } } }`,
    { id },
  );
  expect(text).toContain('The query asks for too much: at most 50 relations in filters');
  expect(await stored('/api/articles?locale=all&publicationState=preview&filters[title]=refused')).toBe(0);
});

test('a response of more entries than any may have has the id alone', async () => {
  const author = await create('authors', { name: 'Ada' });
  for (const title of ['One', 'Two', 'Three']) await create('articles', { title, author });
  const circle = `populate${'[articles][populate][author][populate]'.repeat(80)}=tags`;
  const { status, body } = await put(`/api/authors/${author}?${circle}`, { name: 'Ada Lovelace' });
  expect({ status, body }).toEqual(aloneIn);
  expect((await get(`/api/authors/${author}`)).body.data.attributes.name).toBe('Ada Lovelace');
  expect((await client.delete(`/api/authors/${author}?${circle}`)).status).toBe(400);
  expect((await get(`/api/authors/${author}`)).status).toBe(200);
});
