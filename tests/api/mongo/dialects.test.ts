import { describe, expect, test } from '@jest/globals';
import { useService, type Client } from '../../support/service.js';

const names = ['apple', 'Äpfel', 'Zebra', 'co-op', 'Coop', 'eclair', 'Éclair', 'b'];

/** Creates products with these names, in this order; every third has no price. */
async function createProducts(client: Client): Promise<void> {
  for (const [index, name] of names.entries()) {
    const price = index % 3 === 0 ? null : index;
    await client.create('products', { sku: `S-${index}`, name, price, stock: 5, opensAt: '10:00:00.120' });
  }
}

const listed = async (client: Client, query: string, name = 'name'): Promise<readonly unknown[]> => {
  const { body } = await client.get(`/api/products?${query}`);
  return (body.data as readonly { attributes: Record<string, unknown> }[]).map(({ attributes }) => attributes[name]);
};

/** All entries of a sorted list, page by page. */
async function walk(client: Client, sort: string, size: number): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  let next: string | null = '';
  while (next !== null) {
    const { body } = await client.get(
      `/api/products?sort=${sort}&pagination[pageSize]=${size}&pagination[after]=${next}`,
    );
    found.push(...(body.data as readonly { attributes: { sku: string } }[]).map(({ attributes }) => attributes.sku));
    next = body.meta.pagination.next as string | null;
  }
  return found;
}

describe('with the rules of PostgreSQL', () => {
  const client = useService({ environment: { STRAPI_DATABASE: 'postgres', NODE_ENV: 'development' } });

  test('texts are sorted by letters, then accents and case, then punctuation', async () => {
    await createProducts(client);
    const sorted = ['Äpfel', 'apple', 'b', 'co-op', 'Coop', 'eclair', 'Éclair', 'Zebra'];
    expect(await listed(client, 'sort=name')).toEqual(sorted);
    expect(await listed(client, 'sort=name:desc')).toEqual(sorted.toReversed());
    expect(await listed(client, 'filters[name][$gte]=D&sort=name')).toEqual(['eclair', 'Éclair', 'Zebra']);
  });

  test('but equal only to themselves', async () => {
    expect(await listed(client, 'filters[name]=coop')).toEqual([]);
    expect(await listed(client, 'filters[name]=Coop')).toEqual(['Coop']);
    expect(await listed(client, 'filters[name][$startsWith]=E')).toEqual([]);
    expect(await listed(client, 'filters[name][$startsWith]=co')).toEqual(['co-op']);
  });

  test('missing values are last, on each page, and first in descending order', async () => {
    const ascending = ['S-1', 'S-2', 'S-4', 'S-5', 'S-7', 'S-0', 'S-3', 'S-6'];
    expect(await listed(client, 'sort=price', 'sku')).toEqual(ascending);
    for (const start of [3, 4, 5, 6]) {
      expect(await listed(client, `sort=price&pagination[start]=${start}&pagination[limit]=2`, 'sku')).toEqual(
        ascending.slice(start, start + 2),
      );
    }
    expect(await walk(client, 'price', 2)).toEqual(ascending);
    const descending = ['S-0', 'S-3', 'S-6', 'S-7', 'S-5', 'S-4', 'S-2', 'S-1'];
    expect(await walk(client, 'price:desc', 3)).toEqual(descending);
    expect(await walk(client, 'stock,price:desc', 3)).toEqual(descending);
    expect(await listed(client, 'sort=vendor.name,price:desc', 'sku')).toEqual(descending);
  });

  test('components are sorted within their entry as entries are', async () => {
    const links = ['b', 'Ä', 'a', 'B'].map((label) => ({ label, url: '/', priority: label === 'a' ? null : 1 }));
    const id = await client.create('articles', { title: 'Links', slug: 'links', links });
    const { body } = await client.get(`/api/articles/${id}?populate[links][sort]=priority,label`);
    expect(body.data.attributes.links.map(({ label }: { label: string }) => label)).toEqual(['Ä', 'b', 'B', 'a']);
  });

  test('times, decimals and JSON are written as there', async () => {
    const { body } = await client.post('/api/products', {
      sku: 'W-1',
      name: 'written',
      price: 1.005,
      opensAt: '10:00:00',
      attrs: { zz: 1, a: 2 },
    });
    expect(body.data.attributes).toMatchObject({ price: 1.01, opensAt: '10:00:00' });
    expect(JSON.stringify(body.data.attributes.attrs)).toBe('{"a":2,"zz":1}');
    expect(await listed(client, 'filters[sku]=S-0', 'opensAt')).toEqual(['10:00:00.12']);
    const { body: graphql } = await client.graphql(
      '{ products(filters: { sku: { eq: "W-1" } }) { data { attributes { opensAt } } } }',
    );
    expect(graphql.data.products.data).toEqual([{ attributes: { opensAt: '10:00:00.000' } }]);
  });

  test('values that its columns cannot hold are refused', async () => {
    for (const value of [{ name: 'x'.repeat(256) }, { stock: 2 ** 31 }, { price: 1e8 }]) {
      const { status } = await client.post('/api/products', { sku: 'L-1', name: 'long', ...value });
      expect(status).toBe(400);
    }
  });

  test.each(['filters[slug]=links', 'filters[slug][$startsWith]=li', 'sort=publishOn&filters[kind]=news'])(
    'an index serves %s',
    async (query) => {
      const { body } = await client.get(`/api/articles?${query}&explain=true`);
      expect(JSON.stringify(body.explain.main.plan)).toContain('IXSCAN');
    },
  );
});

describe('with the rules of MySQL', () => {
  const client = useService({ environment: { STRAPI_DATABASE: 'mysql', NODE_ENV: 'development' } });

  test('texts are equal without case and accents, and sorted so', async () => {
    await createProducts(client);
    expect(await listed(client, 'filters[name]=ECLAIR')).toEqual(['eclair', 'Éclair']);
    expect(await listed(client, 'filters[name][$in][0]=apfel')).toEqual(['Äpfel']);
    expect(await listed(client, 'filters[name][$ne]=eclair&filters[name][$contains]=É')).toEqual([
      'apple',
      'Äpfel',
      'Zebra',
    ]);
    expect(await listed(client, '_q=apf')).toEqual(['Äpfel']);
    expect(await listed(client, 'filters[name][$eqi]=ECLAIR')).toEqual(['eclair', 'Éclair']);
    expect(await listed(client, 'filters[name][$nei]=ECLAIR&filters[name][$endsWithi]=R')).toEqual([]);
    expect(await listed(client, 'sort=name')).toEqual([
      'Äpfel',
      'apple',
      'b',
      'co-op',
      'Coop',
      'eclair',
      'Éclair',
      'Zebra',
    ]);
    expect(await listed(client, 'filters[size]=xl')).toEqual([]);
  });

  test('missing values are first', async () => {
    expect(await walk(client, 'price', 3)).toEqual(['S-0', 'S-3', 'S-6', 'S-1', 'S-2', 'S-4', 'S-5', 'S-7']);
  });

  test('unique values differ by more than case and accents, in components, too', async () => {
    expect((await client.post('/api/tags', { name: 'zeta' })).status).toBe(200);
    const { status, body } = await client.post('/api/tags', { name: 'ZÉTA' });
    expect([status, body.error.details.errors]).toMatchObject([400, [{ path: ['name'] }]]);
  });

  test('users log in with their name in any case, and no other user has it', async () => {
    const user = { username: 'alice', email: 'alice@test.test', password: 'secret12' };
    const send = (path: string, body: object): Promise<Response> =>
      fetch(`${client.service.url}/api/auth/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect((await send('local/register', user)).status).toBe(200);
    expect((await send('local/register', { ...user, username: 'ÁLICE', email: 'b@test.test' })).status).toBe(400);
    expect((await send('local', { identifier: 'ALICE', password: user.password })).status).toBe(200);
  });

  test.each(['$eqi', '$startsWithi'])('an index serves %s', async (operator) => {
    const { body } = await client.get(`/api/articles?filters[slug][${operator}]=LINKS&explain=true`);
    expect(JSON.stringify(body.explain.main.plan)).toContain('IXSCAN');
  });
});
