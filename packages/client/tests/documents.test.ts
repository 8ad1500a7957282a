import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { useService } from '../../../tests/support/service.js';
import { createClient, RequestError, type DocumentClient } from '../src/client.js';
import { fetchTypes } from '../src/fetch-types.js';
import type { ContentTypes } from './types/documents.js';

describe('in the format of Strapi 5', () => {
  const service = useService({ contentTypes: 'content-types', plugins: { strapi5: true } });
  const connect = (): DocumentClient<ContentTypes> =>
    createClient<ContentTypes>({ url: service.service.url, token: service.service.token, format: 5 });

  test('the client creates, finds, updates and deletes entries by documentId', async () => {
    const client = connect();
    const { data: author } = await client.create('authors', { name: 'Ida & Co = 1', email: 'ida@example.org' });
    const { data: article } = await client.create(
      'articles',
      {
        title: 'On Bread',
        kind: 'essay',
        author: author.documentId,
        blocks: [{ __component: 'blocks.quote', text: 'x', source: { documentId: author.documentId } }],
      },
      { populate: ['author'] },
    );
    expect(article.author?.name).toBe('Ida & Co = 1');
    const { data: prepared } = await client.create('articles', { summary: 'Prepared' }, { status: 'draft' });

    const found = await client.find('articles', {
      filters: { author: { documentId: author.documentId, name: { $startsWith: 'Ida' } } },
      fields: ['title'],
      populate: { author: { fields: ['name'] }, tags: { count: true }, blocks: { on: { 'blocks.quote': true } } },
      pagination: { pageSize: 5 },
    });
    expect(found).toMatchObject({
      data: [
        { documentId: article.documentId, title: 'On Bread', author: { name: 'Ida & Co = 1' }, tags: { count: 0 } },
      ],
      meta: { pagination: { page: 1, pageSize: 5, pageCount: 1, total: 1 } },
    });
    expect(found.data[0]?.blocks[0]?.text).toBe('x');
    expect(found.data[0]).not.toHaveProperty('kind');
    expect((await client.find('articles', { status: 'draft' })).data).toHaveLength(2);
    await expect(client.findOne('articles', prepared.documentId)).rejects.toMatchObject({ status: 404 });

    const once = () => client.create('tags', { name: 'Once' }, {}, { idempotencyKey: 'once' });
    expect(await once()).toEqual(await once());
    const read = await client.findOne('articles', article.documentId, { fields: ['title'] });
    const write = (title: string) =>
      client.update('articles', article.documentId, { title }, { fields: ['title'] }, { ifMatch: read.etag });
    expect((await write('On Rolls')).data.title).toBe('On Rolls');
    await expect(write('On Bread')).rejects.toMatchObject({ status: 412 });
    await client.update('articles', article.documentId, { title: 'Prepared' }, { status: 'draft' });
    expect((await client.findOne('articles', article.documentId)).data.title).toBe('On Rolls');
    expect((await client.findOne('articles', article.documentId, { status: 'draft' })).data.title).toBe('Prepared');

    await client.delete('articles', article.documentId, {}, { dryRun: true });
    expect(await client.delete('articles', article.documentId)).toBeUndefined();
    await expect(client.findOne('articles', article.documentId)).rejects.toThrow('Not Found');
  });

  test('the client writes and reads single types', async () => {
    const client = connect();
    await client.updateSingle('setting', { siteName: 'Magazine', footerLinks: [{ label: 'Home', url: '/' }] });
    const { data } = await client.findSingle('setting', { populate: '*' });
    expect(data).toMatchObject({ siteName: 'Magazine', footerLinks: [{ label: 'Home' }] });
    await client.deleteSingle('setting');
    await expect(client.findSingle('setting')).rejects.toMatchObject({ status: 404 });
  });

  test('a refused request rejects with status and details, and the client has no methods of the other format', async () => {
    const client = connect();
    const refused = await client.create('tags', { nope: 1 } as never).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RequestError);
    expect(refused).toMatchObject({ status: 400, details: { key: 'nope', source: 'body' } });
    expect(client).not.toHaveProperty('findByKey');
  });

  test('the client registers, logs in, and uploads files', async () => {
    const visitor = createClient<ContentTypes>({ url: service.service.url, format: 5 });
    const input = { username: 'ida', email: 'ida@example.org', password: 'correct horse' };
    await visitor.register(input);
    const { user } = await visitor.logIn({ identifier: 'ida', password: input.password });
    expect(user).toMatchObject({ email: input.email, documentId: expect.any(String) });
    const [stored] = await connect().upload([new File(['text'], 'note.txt', { type: 'text/plain' })]);
    expect(stored).toMatchObject({ name: 'note.txt', documentId: expect.any(String) });
  });

  test('the types come from the address of the format', async () => {
    const { url, token } = service.service;
    const ask = { client: 'content-service/client', role: undefined, token };
    expect(await fetchTypes(url, { ...ask, format: '5' })).toBe(
      readFileSync('packages/client/tests/types/documents.d.ts', 'utf8'),
    );
    await expect(fetchTypes(url, { ...ask, format: '3' })).rejects.toThrow('--format 3 is not 4 or 5');
  });
});

describe('where the settings exchange the addresses', () => {
  const service = useService({
    contentTypes: 'content-types',
    environment: { REST_PREFIX: '/v4/api' },
    plugins: { strapi5: { enabled: true, config: { path: '/' } }, graphql: false },
  });

  test('the client of each format has its path', async () => {
    const { url, token } = service.service;
    const documents = createClient<ContentTypes>({ url, token, format: 5, path: '/api' });
    const { data: tag } = await documents.create('tags', { name: 'Both' });
    const numbered = createClient<ContentTypes>({ url, token, path: '/v4/api' });
    expect((await numbered.findOne('tags', tag.id)).data.attributes.name).toBe('Both');
    const types = await fetchTypes(url, { client: 'x', role: undefined, token, format: '5', path: '/api' });
    expect(types).toContain('documentId: string;');
  });
});
