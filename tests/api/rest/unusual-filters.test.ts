import { beforeAll, describe, expect, test } from '@jest/globals';
import { useService } from '../../support/service.js';

const { get, create } = useService();

beforeAll(async () => {
  const vendor = await create('authors', { name: 'Ada' });
  await create('products', { sku: 'AAA', name: 'Anvil', stock: 0, serial: '7', vendor });
  await create('products', { sku: 'BBB', name: 'Bolt', stock: 5 });
});

/** The prefixes of all filters on an id, a relation or a component. */
const onIds = [
  ['a list', '/api/products?filters[id]'],
  ['a relation', '/api/products?filters[vendor]'],
  ['the id behind a relation', '/api/products?filters[vendor][id]'],
  ['a component', '/api/products?filters[dimensions]'],
  ['media', '/api/authors?filters[avatar]'],
  ['a group', '/api/products?filters[$or][0][id]'],
  ['a relation in a group', '/api/products?filters[$not][vendor]'],
  ['a populated relation', '/api/products?populate[comments][filters][id]'],
  ['a single type', '/api/homepage?filters[id]'],
  ['users', '/api/users?filters[id]'],
  ['the role of users', '/api/users?filters[role]'],
  ['the number of users', '/api/users/count?filters[id]'],
  ['files', '/api/upload/files?filters[id]'],
] as const;

describe.each(onIds)('a filter on an id of %s is refused', (_, path) => {
  test.each([
    ['[$foo]=1', '$foo'],
    ['[$not][$foo]=1', '$foo'],
    ['[0][$foo]=1', '$foo'],
    ['[$eq][foo]=1', 'foo'],
    ['[$in][200]=1', '200'],
    ['[$in][0][foo]=1', 'foo'],
    ['[$null][foo]=1', 'foo'],
    ['[$notNull][0][$foo]=1', '$foo'],
    ['[101]=1', '101'],
  ])('with %s', async (condition, name) => {
    const { status, body } = await get(path + condition);
    expect({ status, message: body.error?.message }).toEqual({ status: 400, message: `Invalid parameter ${name}` });
  });
});

test.each([
  ['filters[stock]=', ['AAA']],
  ['filters[stock][$gt]=', ['BBB']],
  ['filters[serial]', ['BBB']],
  ['filters[serial][$ne]', ['AAA']],
  ['filters[serial][$lt]=', ['AAA']],
  ['filters[vendor]', ['BBB']],
  ['filters[vendor][$not]=7', ['AAA']],
  ['filters[vendor][$or][0]=1&filters[vendor][$or][1][name]=x', ['AAA']],
  ['filters[id][$ne]=x', ['AAA', 'BBB']],
  ['filters[stock][$notIn][]', []],
  ['filters[name][0][x]=1', []],
  ['filters[id][$null][name]=1', []],
  ['filters[id][$null][id]=1', []],
  ['filters[vendor][$null][$in]=1', ['BBB']],
  ['filters[stock][$null][x]=1', []],
])('%s matches %j', async (query, skus) => {
  const { status, body } = await get(`/api/products?${query}&sort=sku`);
  expect({ status, skus: body.data.map((product: { attributes: { sku: string } }) => product.attributes.sku) }).toEqual(
    { status: 200, skus },
  );
});
