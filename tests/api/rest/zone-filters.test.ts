import { expect, test } from '@jest/globals';
import request from 'supertest';
import { useService } from '../../support/service.js';

const client = useService();
const { create, get } = client;
const idsOf = async (query: string): Promise<readonly number[]> =>
  (await get(`/api/articles?fields=id&${query}`)).body.data.map(({ id }: { id: number }) => id);

test('articles are found by the components of their zone, and by what these lead to', async () => {
  const author = await create('authors', { name: 'Ada', email: 'ada@example.test' });
  const quote = (text: string, source?: number) => ({ __component: 'blocks.quote', text, ...(source && { source }) });
  const zones = [
    [quote('a', author), quote('b')],
    [quote('b')],
    [{ __component: 'blocks.text', heading: 'a', content: 'c' }],
    [],
  ];
  for (const blocks of zones) await create('articles', { title: 'x', blocks });
  const on = 'filters[blocks][$on][blocks.quote]';
  expect(await idsOf(`${on}[text]=b`)).toEqual([1, 2]);
  expect(await idsOf(`${on}[text]=b&${on}[source][name]=Ada`)).toEqual([]);
  expect(await idsOf(`${on}[source][name]=Ada`)).toEqual([1]);
  expect(await idsOf(`${on}[text][$null]=true`)).toEqual([3, 4]);
  expect(await idsOf('filters[$not][blocks][$on][blocks.quote][text]=b')).toEqual([1]);
  expect(await idsOf('filters[blocks][$on][blocks.text][heading][$containsi]=A')).toEqual([3]);
  expect((await get(`/api/articles?${on}[text]=b`)).body.meta.pagination.total).toBe(2);
});

test('a relation in a zone needs the permission to list its entries', async () => {
  const permissions = ['api::article.article.find'];
  const key = 'a-key-of-enough-characters';
  const token = {
    name: 'list',
    type: 'custom',
    permissions,
    key,
    description: undefined,
    expiresAt: undefined,
  } as const;
  await client.service.applyAccess({ roles: [], locales: [], tokens: [token] });
  const status = async (filter: string) =>
    (await request(client.service.url).get(`/api/articles?${filter}`).auth(key, { type: 'bearer' })).status;
  expect(await status('filters[blocks][$on][blocks.quote][text]=b')).toBe(200);
  expect(await status('filters[blocks][$on][blocks.quote][source][name]=Ada')).toBe(400);
});
