import { expect, test } from '@jest/globals';
import request from 'supertest';
import { useService } from '../../support/service.js';

const client = useService({
  environment: { DEEP_POPULATE: '3' },
  configure: (config) => ({ ...config, limits: { ...config.limits, populate: 60 } }),
});
const { get, create, post } = client;

test('populate=deep reads what its levels lead to, in reads and in the answers to writes', async () => {
  const author = await create('authors', { name: 'Ada', email: 'ada@example.test' });
  const { body } = await post('/api/articles?populate=deep', {
    title: 'one',
    author,
    seo: { metaTitle: 'x', openGraph: { ogTitle: 'og' } },
    blocks: [{ __component: 'blocks.quote', text: 'q', source: author }],
  });
  expect(body.data.attributes).toMatchObject({
    author: { data: { id: author, attributes: { name: 'Ada' } } },
    seo: { metaTitle: 'x', openGraph: { ogTitle: 'og' } },
    blocks: [{ text: 'q', source: { data: { id: author } } }],
  });
  expect(body.data.attributes.author.data.attributes).not.toHaveProperty('articles');
  const path = `/api/articles/${body.data.id}`;
  expect((await get(`${path}?populate=deep`)).body.data).toEqual(body.data);
  expect((await get(`${path}?populate=deep,2`)).body).toEqual((await get(`${path}?populate=*`)).body);
  expect((await get('/api/articles?populate=deep,9')).body.error.message).toMatch('at most 60 populated attributes');
});

test('populate=deep stays within the rights of the caller', async () => {
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
  const { body } = await request(client.service.url).get('/api/articles?populate=deep').auth(key, { type: 'bearer' });
  expect(body.data[0].attributes).toMatchObject({ seo: { metaTitle: 'x' } });
  expect(body.data[0].attributes).not.toHaveProperty('author');
  expect(body.data[0].attributes.blocks[0]).not.toHaveProperty('source');
});
