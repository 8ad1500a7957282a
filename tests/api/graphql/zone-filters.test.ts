import { expect, test } from '@jest/globals';
import { declare, keyOf } from '../../support/access.js';
import { useService } from '../../support/service.js';
import request from 'supertest';

const client = useService({ plugins: { graphql: { config: { zoneFilters: true } } } });
const plain = useService();
const { create, graphql } = client;

test('the setting zoneFilters adds filters by the components of dynamic zones', async () => {
  const author = await create('authors', { name: 'Ada', email: 'ada@example.test' });
  const blocks = [{ __component: 'blocks.quote', text: 'x', source: author }];
  await create('articles', { title: 'one', blocks });
  await create('articles', { title: 'two', blocks: [{ __component: 'blocks.text', heading: 'x', content: 'c' }] });
  const ids = async (filters: string) => {
    const { body } = await graphql(`{ articles(filters: ${filters}) { data { id } meta { pagination { total } } } }`);
    return body.errors ?? body.data.articles.data.map(({ id }: { id: string }) => id);
  };
  expect(await ids('{ blocks: { ComponentBlocksQuote: { text: { contains: "x" } } } }')).toEqual(['1']);
  expect(await ids('{ blocks: { ComponentBlocksQuote: { source: { name: { eq: "Ada" } } } } }')).toEqual(['1']);
  expect(await ids('{ not: { blocks: { ComponentBlocksQuote: { text: { notNull: true } } } } }')).toEqual(['2']);
  expect(
    await ids('{ blocks: { ComponentBlocksText: { heading: { eq: "x" } }, ComponentBlocksQuote: null } }'),
  ).toEqual(['2']);
  expect(await ids('{ blocks: null }')).toEqual(['1', '2']);
});

test('a relation in a dynamic zone needs the permission to list its entries, also without a condition', async () => {
  await declare(client.service, {}, { reader: ['api::article.article.find'] });
  const query = '{ articles(filters: { blocks: { ComponentBlocksQuote: { source: {} } } }) { data { id } } }';
  const { body } = await request(client.service.url)
    .post('/graphql')
    .auth(keyOf('reader'), { type: 'bearer' })
    .send({ query });
  expect(body.errors[0].message).toBe('Invalid parameter source');
});

test('without it the schema is that of Strapi v4', async () => {
  const { body } = await plain.graphql('{ articles(filters: { blocks: {} }) { data { id } } }');
  expect(body.errors[0].message).toMatch('Field "blocks" is not defined');
});
