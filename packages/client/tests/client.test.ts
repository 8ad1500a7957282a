import { expect, test } from '@jest/globals';
import { createClient, RequestError, type Client } from '../src/client.js';
import { useService } from '../../../tests/support/service.js';
import type { ContentTypes } from './types/content.js';

const service = useService({ contentTypes: 'content-types', environment: { EVENTS: 'true' } });
const localized = useService({ plugins: { i18n: { config: { locales: ['en', 'de'] } } } });
const connect = (): Client<ContentTypes> =>
  createClient<ContentTypes>({ url: service.service.url, token: service.service.token });

test('the client follows changes', async () => {
  const client = connect();
  const { meta } = await client.changes({ wait: 0 });
  const { data: tag } = await client.create('tags', { name: 'followed' });
  const { data } = await client.changes({ since: meta.position, types: ['tags'], fields: { tags: ['name'] } });
  expect(data).toMatchObject([
    { event: 'entry.create', id: tag.id, entry: { id: tag.id, attributes: { name: 'followed' } } },
  ]);
});

test('the client checks writes without storing them', async () => {
  const client = connect();
  const { data } = await client.create('tags', { name: 'dry' }, {}, { dryRun: true });
  expect(data).toMatchObject({ id: null, attributes: { name: 'dry' } });
  const { data: tag } = await client.create('tags', { name: 'dry' });
  const changed = await client.update('tags', tag.id, { name: 'wet' }, {}, { dryRun: true });
  expect(changed.data.attributes.name).toBe('wet');
  await client.upsert('tags', 'slug', 'new', { name: 'new' }, {}, { dryRun: true });
  await client.delete('tags', tag.id, {}, { dryRun: true });
  expect((await client.find('tags', { filters: { name: { $in: ['dry', 'wet', 'new'] } } })).data).toMatchObject([
    { id: tag.id, attributes: { name: 'dry' } },
  ]);
});

test('the client creates, finds, updates and deletes entries', async () => {
  const client = connect();
  const { data: author } = await client.create('authors', { name: 'Ida & Co = 1', email: 'ida@example.org' });
  const { data: article } = await client.create(
    'articles',
    {
      title: 'On Bread',
      kind: 'essay',
      author: author.id,
      blocks: [{ __component: 'blocks.quote', text: 'x', source: author.id }],
    },
    { populate: ['author'] },
  );
  expect(article.attributes.author.data?.attributes.name).toBe('Ida & Co = 1');
  await client.create('articles', { publishedAt: null });

  const found = await client.find('articles', {
    filters: { $or: [{ author: { name: 'Ida & Co = 1' } }, { kind: { $in: ['note'] } }] },
    fields: ['title'],
    populate: { author: {}, blocks: { on: { 'blocks.quote': { populate: ['source'] } } } },
    sort: 'title:desc',
    pagination: { pageSize: 5 },
  });
  expect(found.meta.pagination).toEqual({ page: 1, pageSize: 5, pageCount: 1, total: 1 });
  expect(found.data[0]?.attributes).toMatchObject({
    title: 'On Bread',
    author: { data: { id: author.id } },
    blocks: [{ __component: 'blocks.quote', source: { data: { id: author.id } } }],
  });
  expect(found.data[0]?.attributes).not.toHaveProperty('kind');
  expect((await client.find('articles', { publicationState: 'preview' })).data).toHaveLength(2);

  const pageAfter = (after: string) =>
    client.find('articles', { publicationState: 'preview', pagination: { after, pageSize: 1 } });
  const walked: number[] = [];
  for (let after: string | null | undefined = ''; typeof after === 'string';) {
    const page = await pageAfter(after);
    walked.push(...page.data.map(({ id }) => id));
    after = page.meta.pagination.next;
  }
  expect(walked).toEqual([article.id, article.id + 1]);

  const once = () => client.create('tags', { name: 'Once' }, {}, { idempotencyKey: 'once' });
  expect(await once()).toEqual(await once());
  const counted = await client.count('articles', {
    filters: { title: { $notNull: true } },
    publicationState: 'preview',
  });
  expect(counted.data.count).toBe(1);
  const query = {
    groupBy: ['title', 'createdAt:year'],
    max: 'id',
    publicationState: 'preview',
    sort: 'title',
  } as const;
  const grouped = await client.aggregate('articles', { ...query, filters: { title: { $notNull: true } } });
  const createdAt = new Date().toISOString().slice(0, 4);
  expect(grouped.data).toEqual([{ key: { title: 'On Bread', createdAt }, count: 1, max: { id: article.id } }]);
  const { data: tag } = await client.create('tags', { name: 'Rye / & 100 %' });
  expect((await client.findByKey('tags', 'name', 'Rye / & 100 %', { fields: ['name'] })).data.id).toBe(tag.id);
  expect((await client.upsert('tags', 'name', 'Rye', {})).data.id).toBe(tag.id + 1);
  expect((await client.updateByKey('tags', 'name', 'Rye', { name: 'Rye bread' })).data.id).toBe(tag.id + 1);
  await expect(client.createByKey('tags', 'name', 'Rye bread', {})).rejects.toMatchObject({ status: 412 });
  expect((await client.deleteByKey('tags', 'name', 'Rye bread')).data.attributes.name).toBe('Rye bread');

  const read = await client.findOne('articles', article.id, { fields: ['title'] });
  const write = (title: string) =>
    client.update('articles', article.id, { title }, { fields: ['title'] }, { ifMatch: read.etag });
  expect((await write('On Bread')).data.attributes.title).toBe('On Bread');
  await client.update('articles', article.id, { title: 'On Rolls' });
  await expect(write('On Bread')).rejects.toMatchObject({ status: 412 });
  await expect(client.delete('articles', article.id, {}, { ifMatch: read.etag })).rejects.toMatchObject({
    status: 412,
  });
  await client.update('articles', article.id, { title: 'On Bread' });

  const { data: changed } = await client.update('articles', article.id, { summary: 'Short' });
  expect(changed.attributes).toMatchObject({ title: 'On Bread', summary: 'Short' });
  await client.delete('articles', article.id);
  await expect(client.findOne('articles', article.id)).rejects.toThrow('Not Found');
});

test('the client writes and reads single types', async () => {
  const client = connect();
  await client.updateSingle('setting', { siteName: 'Magazine', footerLinks: [{ label: 'Home', url: '/' }] });
  const { data } = await client.findSingle('setting', { populate: '*' });
  expect(data?.attributes).toMatchObject({ siteName: 'Magazine', footerLinks: [{ label: 'Home' }] });
});

test('the client writes several entries together', async () => {
  const client = connect();
  const operations = [
    { create: 'authors', as: 'ida', data: { name: 'Ida' } },
    { create: 'articles', data: { title: 'On Batches', author: '$ida' } },
  ] as const;
  const tried = await client.batch(operations, { dryRun: true });
  expect(tried.data.map(({ id }) => id)).toEqual([null, null]);
  const { data } = await client.batch(operations);
  expect(data[1].attributes.title).toBe('On Batches');
  const read = await client.findOne('articles', data[1].id, { populate: ['author'] });
  expect(read.data.attributes.author.data?.id).toBe(data[0].id);
});

test('a refused request rejects with status and message', async () => {
  const { url } = service.service;
  const client = createClient<ContentTypes>({ url: `${url}/` });
  await expect(client.delete('tags', 1)).rejects.toMatchObject({ status: 403, name: 'ForbiddenError' });
  const refused = await connect()
    .create('tags', { name: 5 as unknown as string })
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(RequestError);
  expect(refused).toMatchObject({ status: 400, details: { errors: [{ path: ['name'] }] } });
});

test('the client registers, logs in, and uploads files to an entry', async () => {
  const visitor = createClient<ContentTypes>({ url: service.service.url });
  const input = { username: 'ida', email: 'ida@example.org', password: 'correct horse' };
  expect((await visitor.register(input)).user).toMatchObject({ username: 'ida' });
  const { jwt, user } = await visitor.logIn({ identifier: 'ida', password: input.password });
  expect([typeof jwt, user.email]).toEqual(['string', 'ida@example.org']);
  const wrong = visitor.logIn({ identifier: 'ida', password: 'wrong' });
  await expect(wrong).rejects.toMatchObject({ status: 400, name: 'ValidationError' });

  const client = connect();
  const { data: article } = await client.create('articles', { title: 'On Bread' });
  const file = new File(['text'], 'note.txt', { type: 'text/plain' });
  const target = { ref: 'api::article.article', refId: article.id, field: 'cover' };
  const [stored] = await client.upload([file], target);
  expect(stored).toMatchObject({ name: 'note.txt', mime: 'text/plain', formats: null });
  const read = await client.findOne('articles', article.id, { populate: ['cover'] });
  expect(read.data.attributes.cover.data?.id).toBe(stored?.id);
});

test('the client says what is wrong with its address', async () => {
  expect(() => createClient<ContentTypes>({ url: undefined as never })).toThrow('createClient: url is undefined');
  const nowhere = createClient<ContentTypes>({ url: 'http://127.0.0.1:9' }).find('tags');
  await expect(nowhere).rejects.toThrow('GET http://127.0.0.1:9/api/tags: no answer');
  const { url } = service.service;
  await expect(createClient<ContentTypes>({ url: `${url}/api` }).find('tags')).rejects.toThrow(
    `Not Found (${url}/api/api/tags: url is without /api)`,
  );
});

test('the client creates localizations', async () => {
  const { url, token } = localized.service;
  const client = createClient<ContentTypes>({ url, token });
  const { data } = await client.create('articles', { title: 'On Bread' });
  const german = await client.createLocalization('articles', data.id, { title: 'Vom Brot', locale: 'de' });
  expect(german).toMatchObject({ title: 'Vom Brot', locale: 'de' });
});
