import { expect, test } from '@jest/globals';
import request from 'supertest';
import { useService } from '../../../support/service.js';

const client = useService();
const { create, get, post, put } = client;
const HIGH = '\ud800';
const LOW = '\udc00';
const refusal = (path: string): object => ({
  status: 400,
  body: { error: { name: 'ValidationError', message: `${path} must not contain half of a surrogate pair` } },
});

/** A body as JSON writes half of a pair, which supertest sends as it is. */
const sentToUsers = (body: object) =>
  request(client.service.url).post('/api/users').auth(client.service.token, { type: 'bearer' }).send(body);

test.each([
  ['name', { name: `x${HIGH}` }],
  ['description', { description: `${LOW}${HIGH}` }],
  ['details', { details: LOW }],
  ['pin', { pin: `secret${HIGH}` }],
  ['sku', { sku: `ABC${HIGH}` }],
])('a string with an unpaired surrogate in %s is refused', async (name, data) => {
  const product = await create('products', { name: 'x', sku: `OK-${name.slice(0, 5)}` });
  expect(await post('/api/products', { name: 'x', sku: 'SUR-1', ...data })).toMatchObject(refusal(name));
  expect(await put(`/api/products/${product}`, data)).toMatchObject(refusal(name));
});

test('unpaired surrogates are refused in components, for users and over GraphQL; pairs are accepted', async () => {
  const links = [{ label: 'x' }, { label: HIGH }];
  expect(await post('/api/articles', { title: 'x', links })).toMatchObject(refusal('links[1].label'));
  expect((await post('/api/products', { name: 'x', sku: 'SUR-2', handle: HIGH })).status).toBe(400);
  expect((await post('/api/products', { name: 'x', sku: 'SUR-2', support: `${HIGH}@x.yz` })).status).toBe(400);
  const user = { username: `abc${HIGH}`, email: 'sur@example.test', password: 'secret', role: 1 };
  const { status, body } = await sentToUsers(user);
  expect({ status, message: body.error.message }).toEqual({
    status: 400,
    message: 'username must not contain half of a surrogate pair',
  });
  const document = 'mutation ($name: String!) { createTag(data: { name: $name }) { data { attributes { name } } } }';
  const answer = await client.graphql(document, { name: HIGH });
  expect(answer.body.errors[0].message).toBe('name must not contain half of a surrogate pair');
  const whole = await client.graphql(document, { name: `${HIGH}${LOW}` });
  expect(whole.body.data.createTag.data.attributes.name).toBe(`${HIGH}${LOW}`);
});

test('a json attribute stores unpaired surrogates exactly, also in keys', async () => {
  const attrs = { [`a${HIGH}`]: `b${LOW}`, list: [HIGH, LOW, `${HIGH}${LOW}`] };
  const id = await create('products', { name: 'x', sku: 'SUR-3', attrs });
  expect((await get(`/api/products/${id}`)).body.data.attributes.attrs).toEqual(attrs);
  expect((await put(`/api/products/${id}`, { attrs: HIGH })).body.data.attributes.attrs).toBe(HIGH);
});

test.each(['eq', 'ne', 'contains', 'in', 'startsWith'])(
  'a filter by a string with an unpaired surrogate is refused: %s',
  async (operator) => {
    const value = operator === 'in' ? [HIGH] : HIGH;
    const document = `query ($filters: ProductFiltersInput) { products(filters: $filters) { data { id } } }`;
    const { status, body } = await client.graphql(document, {
      filters: { name: { [operator]: value } },
    });
    expect(status).toBe(200);
    expect(body.errors[0].message).toBe('The filter of name must not contain half of a surrogate pair');
  },
);
