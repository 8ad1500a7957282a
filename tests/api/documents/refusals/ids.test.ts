import { beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { AppError } from '../../../../src/errors/app-error.js';
import { useService } from '../../../support/service.js';

const client = useService({
  extension: {
    lifecycles: {
      'api::product.product': {
        beforeCreate: ({ data }) => {
          if (data['name'] === 'forbidden') throw new AppError('application', 'This name is not for products');
          if (data['name'] === 'broken') throw new Error('A bug of the owner');
        },
      },
    },
  },
});
const { create, post, put } = client;
let number = 0;
const sku = (): string => `ID-${(number += 1)}`;
const size = { width: 1, height: 2, unit: 'cm' };

beforeAll(async () => {
  await create('products', { name: 'first', sku: 'TAKEN', handle: 'taken' });
});

/** The ids that a new product and its component get. */
async function nextIds(): Promise<readonly [product: number, component: number]> {
  const { body } = await post('/api/products?populate=dimensions', { name: 'x', sku: sku(), dimensions: size });
  return [body.data.id, body.data.attributes.dimensions.id];
}

const refusals: readonly (readonly [string, object, status?: number])[] = [
  ['a value that is wrong', { price: -1 }],
  ['a value that is missing', { name: undefined }],
  ['a date that is none', { restockAt: 'never' }],
  ['a password that is too long', { pin: 'x'.repeat(73) }],
  ['a relation to a missing entry', { vendor: 999_999 }],
  ['a relation that cannot be read', { vendor: true }],
  ['a relation of any type that cannot be read', { comments: [{ name: 'x' }] }],
  ['a unique value that another has', { sku: 'TAKEN' }],
  ['two of them', { sku: 'TAKEN', handle: 'taken' }],
  ['a lifecycle', { name: 'forbidden' }],
  ['a lifecycle that is broken', { name: 'broken' }, 500],
];

describe.each(refusals)('a create that is refused for %s', (_, data, status = 400) => {
  test('uses up no id of the entry and its components', async () => {
    const [product, component] = await nextIds();
    for (let time = 0; time < 2; time += 1) {
      const refused = await post('/api/products', { name: 'x', sku: sku(), dimensions: size, ...data });
      expect(refused.status).toBe(status);
    }
    expect(await nextIds()).toEqual([product + 1, component + 1]);
  });
});

test.each([
  ['a position next to an unlinked entry', { tags: { connect: [{ id: 1, position: { before: 999_999 } }] } }],
  ['an entry that is connected twice', { tags: { connect: [1, { id: 1 }] } }],
  ['a component of another entry', { links: [{ id: 999_999, label: 'x' }] }],
  ['a date that is none', { startsAt: 'never' }],
  ['a unique value that another has', { code: 'taken' }],
])('an update that is refused for %s uses up no component id', async (_, data) => {
  if ((await client.get('/api/tags/1')).status === 404) {
    await create('tags', { name: 'One' });
    await create('articles', { title: 'x', code: 'taken' });
  }
  const seo = { metaTitle: 'x' };
  const idOf = async (id: number): Promise<number> =>
    (await put(`/api/articles/${id}?populate=seo`, { seo })).body.data.attributes.seo.id;
  const article = await create('articles', { title: 'x', tags: [1] });
  const before = await idOf(article);
  expect((await put(`/api/articles/${article}`, { seo, ...data })).status).toBe(400);
  expect((await put('/api/articles/999999', { seo })).status).toBe(404);
  expect(await idOf(article)).toBe(before + 1);
});

test('a refused write over GraphQL, and a refused write of a user, use up no id', async () => {
  const [product] = await nextIds();
  const document = `mutation { createProduct(data: { name: "x", sku: "TAKEN" }) { data { id } } }`;
  expect((await client.graphql(document)).body.errors[0].message).toBe('This attribute must be unique');
  expect((await nextIds())[0]).toBe(product + 1);
});

test('a refused upload uses up no id', async () => {
  const upload = (info: object) =>
    request(client.service.url)
      .post('/api/upload')
      .auth(client.service.token, { type: 'bearer' })
      .attach('files', Buffer.from('text'), 'file.txt')
      .field('fileInfo', JSON.stringify(info));
  const [first] = (await upload({})).body;
  expect((await upload({ caption: '\ud800' })).status).toBe(400);
  expect((await upload({})).body[0].id).toBe(first.id + 1);
});

test('concurrent refused writes allocate no id twice', async () => {
  const writes = Array.from({ length: 30 }, (_, index) =>
    post('/api/products', { name: 'x', sku: index % 3 === 0 ? sku() : 'TAKEN', dimensions: size }),
  );
  const answers = await Promise.all(writes);
  const ids = answers.flatMap(({ status, body }) => (status === 200 ? [body.data.id] : []));
  expect(ids).toHaveLength(10);
  expect(new Set(ids).size).toBe(10);
  const [next] = await nextIds();
  expect(next).toBeGreaterThan(Math.max(...ids));
});
