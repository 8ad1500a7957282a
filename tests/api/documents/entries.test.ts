import { describe, expect, test } from '@jest/globals';
import { useService } from '../../support/service.js';

const client = useService();
const { get, post, put, delete: remove, create } = client;

describe('an entry', () => {
  test('is created with defaults, updated in part, cleared by null, and deleted', async () => {
    const created = await post('/api/products', { sku: 'LIFE-1', name: 'Kettle', price: '12.50' });
    expect(created.body).toMatchObject({ data: { id: expect.any(Number) }, meta: {} });
    expect(created.body.data.attributes).toMatchObject({ price: 12.5, stock: 0, available: true, description: null });
    const path = `/api/products/${created.body.data.id}`;

    const changed = await put(path, { stock: 4 });
    expect(changed.body.data.attributes).toMatchObject({ name: 'Kettle', stock: 4, price: 12.5 });
    const cleared = await put(path, { price: null });
    expect(cleared.body.data.attributes.price).toBeNull();

    const deleted = await remove(path);
    expect(deleted.body.data.attributes).toMatchObject({ name: 'Kettle', stock: 4, price: null });
    expect((await get(path)).status).toBe(404);
    expect((await remove(path)).status).toBe(404);
    expect((await put(path, { stock: 1 })).status).toBe(404);
  });

  test('keeps every type of value exactly', async () => {
    const data = {
      sku: 'TYPES',
      name: 'ünï ✓ 😀',
      price: 0.1,
      serial: '9223372036854775807',
      releasedOn: '2024-02-29',
      restockAt: '2024-01-01T10:00:00+02:00',
      opensAt: '07:05:09.1',
      stampedAt: 1_700_000_000_000,
      size: 'XL',
      attrs: { 'a.b': [1, { $where: null }], constructor: 1 },
    };
    const id = await create('products', data);
    const { body } = await get(`/api/products/${id}`);
    expect(body.data.attributes).toMatchObject({
      ...data,
      restockAt: '2024-01-01T08:00:00.000Z',
      opensAt: '07:05:09.100',
      stampedAt: '1700000000000',
    });
  });

  test('never returns passwords and private attributes, and stores passwords hashed', async () => {
    const id = await create('products', { sku: 'PRIVATE', name: 'Safe', pin: '1234', margin: 0.5 });
    const { body } = await get(`/api/products/${id}?populate=*`);
    expect(body.data.attributes).not.toHaveProperty('pin');
    expect(body.data.attributes).not.toHaveProperty('margin');
  });

  test('is read by plugins as a caller: without private attributes and what the caller may not find', async () => {
    const vendor = await create('authors', { name: 'Ada' });
    const id = await create('products', { sku: 'AS-CALLER', name: 'Lamp', margin: 0.5, vendor });
    const { entries } = client.service;
    const uid = 'api::product.product';
    const read = async (may: (action: string) => boolean) => {
      const reads = entries.as({ kind: 'public', may });
      const params = { filters: { sku: 'AS-CALLER' }, populate: ['vendor'] };
      return [await reads.findOne(uid, id, { populate: ['vendor'] }), (await reads.findMany(uid, params))[0]];
    };
    for (const entry of await read((action) => action.startsWith(uid))) {
      expect(entry).toMatchObject({ id, name: 'Lamp' });
      expect(entry).not.toHaveProperty('margin');
      expect(entry).not.toHaveProperty('vendor');
    }
    for (const entry of await read(() => true)) expect(entry).toMatchObject({ vendor: { name: 'Ada' } });
    expect(await entries.findOne(uid, id)).toMatchObject({ margin: 0.5 });
    await expect(
      entries.as({ kind: 'public', may: () => true }).findMany(uid, { filters: { margin: 0.5 } }),
    ).rejects.toThrow('Invalid parameter margin');
  });

  test('is returned with the requested fields and relations, also by a write', async () => {
    const vendor = await create('authors', { name: 'Ada' });
    const { body } = await post('/api/products?fields[0]=sku&populate[vendor][fields][0]=name', {
      sku: 'ASKED',
      name: 'Anvil',
      vendor,
    });
    expect(body.data.attributes).toEqual({
      sku: 'ASKED',
      vendor: { data: { id: vendor, attributes: { name: 'Ada' } } },
    });
  });
});

describe('a single type', () => {
  test('is created by PUT, updated and deleted', async () => {
    expect((await get('/api/setting')).status).toBe(404);
    expect((await put('/api/setting', { maxItems: 3 })).body.error.message).toBe('siteName must be defined.');
    expect((await put('/api/setting', { siteName: 'One' })).body.data.attributes.maxItems).toBe(10);
    expect((await put('/api/setting', { maxItems: 3 })).body.data.attributes).toMatchObject({
      siteName: 'One',
      maxItems: 3,
    });
    expect((await remove('/api/setting')).status).toBe(200);
    expect((await remove('/api/setting')).status).toBe(404);
  });
});

describe('a unique value', () => {
  test('is refused a second time, and accepted again after a delete', async () => {
    const data = { name: 'Unique' };
    const id = await create('tags', data);
    const { status, body } = await post('/api/tags', data);
    expect(status).toBe(400);
    expect(body.error.details.errors).toEqual([
      { path: ['name'], message: 'This attribute must be unique', name: 'ValidationError' },
    ]);
    await remove(`/api/tags/${id}`);
    expect((await post('/api/tags', data)).status).toBe(200);
  });

  test('is stored once by concurrent writers', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => post('/api/tags', { name: 'Race' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 400)]);
    expect((await get('/api/tags?filters[name]=Race')).body.meta.pagination.total).toBe(1);
  });
});
