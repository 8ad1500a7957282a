import { expect, test } from '@jest/globals';
import { useService } from '../../support/service.js';

const { get, post, put, create } = useService();

const listed = async (query = ''): Promise<string[]> =>
  (await get(`/api/articles?sort=id&${query}`)).body.data.map(
    ({ attributes }: { attributes: { title: string } }) => attributes.title,
  );

test('a draft is listed only with publicationState=preview, and found by its id', async () => {
  await create('articles', { title: 'Published' });
  const id = await create('articles', { title: 'Draft', publishedAt: null });
  expect(await listed()).toEqual(['Published']);
  expect(await listed('publicationState=preview')).toEqual(['Published', 'Draft']);
  expect(await listed('publicationState=preview&filters[publishedAt][$null]=true')).toEqual(['Draft']);
  expect((await get(`/api/articles/${id}`)).body.data.attributes.publishedAt).toBeNull();
});

test('writing publishedAt publishes and unpublishes an entry', async () => {
  const id = await create('articles', { title: 'Later', publishedAt: null });
  const published = await put(`/api/articles/${id}`, { publishedAt: '2024-05-01T10:00:00.000Z' });
  expect(published.body.data.attributes.publishedAt).toBe('2024-05-01T10:00:00.000Z');
  expect(await listed('filters[title]=Later')).toEqual(['Later']);
  await put(`/api/articles/${id}`, { publishedAt: null });
  expect(await listed('filters[title]=Later')).toEqual([]);
});

test('a draft may lack required values and minimum lengths, but its values must be valid', async () => {
  const { body } = await post('/api/articles', { summary: 'abc', publishedAt: null });
  expect(body.data.attributes).toMatchObject({ title: null, summary: 'abc' });
  expect((await post('/api/articles', { title: 5, publishedAt: null })).status).toBe(400);
  expect((await put(`/api/articles/${body.data.id}`, { title: null })).status).toBe(200);
  expect((await put(`/api/articles/${body.data.id}`, { title: 5 })).status).toBe(400);
});

test('a new entry is published unless its publishedAt is null', async () => {
  const before = Date.now();
  const { body } = await post('/api/articles', { title: 'Now' });
  const publishedAt = Date.parse(body.data.attributes.publishedAt);
  expect([publishedAt >= before, publishedAt <= Date.now()]).toEqual([true, true]);
});
