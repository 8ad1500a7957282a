import { beforeEach, expect, test } from '@jest/globals';
import type { Db } from 'mongodb';
import { system } from '../../../src/documents/caller.js';
import type { Documents } from '../../../src/documents/documents.js';
import type { DocumentHooks } from '../../../src/documents/hooks.js';
import { openStore } from '../../../src/mongo/store.js';
import { id as idField, type Filter } from '../../../src/query/ast.js';
import { plainEntry } from '../../../src/query/entry-presenter.js';
import { commandsOf } from '../../support/commands.js';
import { cutOff } from '../../support/cut-off.js';
import { openDocuments } from '../../support/open-documents.js';
import { useService } from '../../support/service.js';
import { createMany, related } from './relations/related.js';

const client = useService();
const request = { caller: system, presenter: plainEntry, selection: { fields: [], populate: [] } } as const;

const documentsOn = (db: Db, hooks: DocumentHooks = {}): Documents => {
  const store = openStore(db, { timeout: 60_000, exclusive: false });
  return openDocuments(client.service.registry, store, { hooks: [hooks] });
};
const stored = () => client.service.database.db.collection<{ _id: number }>('products');
const update = (documents: Documents, filter: Filter | undefined, data: object): Promise<number> => {
  const type = client.service.registry.contentTypes.get('api::product.product');
  if (type === undefined) throw new Error('no products');
  return documents.updateMany(type, filter, { ...data }, request);
};
const stockIs = (stock: number): Filter => {
  const field = client.service.registry.contentTypes.get('api::product.product')?.attributes.get('stock');
  if (field?.kind !== 'scalar') throw new Error('no stock');
  return { kind: 'comparison', field, operator: '$eq', operands: [stock] };
};

let ids: readonly number[] = [];
beforeEach(async () => {
  await stored().deleteMany({});
  ids = await createMany(client, 'products', 5, (index) => ({ sku: `sku-${index}`, name: 'Old', stock: 1 }));
});

test('updateMany changes 100 entries with one command', async () => {
  await createMany(client, 'products', 95, (index) => ({ sku: `more-${index}`, name: 'Old', stock: 2 }));
  const documents = documentsOn(client.service.database.db);
  let count = 0;
  const work = async (): Promise<void> => void (count = await update(documents, undefined, { name: 'New' }));
  expect((await commandsOf(client.service, work)).join(' ')).toBe('find update update');
  expect(count).toBe(100);
  expect(await stored().countDocuments({ name: 'New' })).toBe(100);
  expect(await update(documents, stockIs(3), { name: 'None' })).toBe(0);
});

test('updateMany leaves entries unchanged that no longer match when the command runs, and tells hooks of the others', async () => {
  const after: number[] = [];
  const documents = documentsOn(client.service.database.db, {
    prepare: async (data, { id = 0 }) => {
      if (id === ids[1]) await stored().updateOne({ _id: id }, { $set: { stock: 2 } });
      return data;
    },
    afterWrite: ({ id }) => void after.push(id),
  });
  expect(await update(documents, stockIs(1), { stock: 3 })).toBe(4);
  expect(await stored().countDocuments({ stock: 3 })).toBe(4);
  expect(after).toEqual(ids.filter((id) => id !== ids[1]));
});

test.each([
  ['committed', 10],
  ['undone', 10],
] as const)('updateMany tells hooks once more when its transaction is %s', async (end, times) => {
  const { registry, database } = client.service;
  const store = openStore(database.db, { timeout: 60_000, exclusive: false });
  const after: number[] = [];
  const documents = openDocuments(registry, store, { hooks: [{ afterWrite: ({ id }) => void after.push(id) }] });
  const running = store.transactions.run(async () => {
    await update(documents, undefined, { name: 'New' });
    expect(after).toEqual(ids);
    if (end === 'undone') throw new Error('undone');
  });
  await running.catch(() => undefined);
  expect(after.length).toBe(times);
  expect(await stored().countDocuments({ name: 'New' })).toBe(end === 'undone' ? 0 : 5);
});

test('after an updateMany that is refused for one of its entries, hooks hear of those that are changed', async () => {
  const after: number[] = [];
  const documents = documentsOn(client.service.database.db, {
    // Each entry gets data of its own, with one command for each.
    prepare: (data, { id }) => ({ ...data, name: `New ${id}`, ...(id === ids[2] && { sku: 'sku-0' }) }),
    afterWrite: ({ id }) => void after.push(id),
  });
  await expect(update(documents, undefined, { stock: 3 })).rejects.toMatchObject({ code: 'validation' });
  expect(await stored().countDocuments({ stock: 3 })).toBe(2);
  expect(after).toEqual(ids.slice(0, 2));
});

test('each entry is claimed by one of several concurrent updateMany calls', async () => {
  const { db } = client.service.database;
  const counts = await Promise.all(Array.from({ length: 4 }, () => update(documentsOn(db), stockIs(1), { stock: 2 })));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(5);
});

test('updateMany runs hooks for each entry, which may change its data and relations', async () => {
  const author = await client.create('authors', { name: 'Ada' });
  const after: number[] = [];
  const documents = documentsOn(client.service.database.db, {
    prepare: (data, { id }) => {
      if (id === ids[1]) return { ...data, name: 'Other' };
      return id === ids[3] ? { ...data, vendor: author } : data;
    },
    afterWrite: ({ id }) => void after.push(id),
  });
  expect(await update(documents, undefined, { name: 'New' })).toBe(5);
  expect(after.toSorted((a, b) => a - b)).toEqual(ids);
  const found = await stored().find().sort({ _id: 1 }).toArray();
  expect(found).toMatchObject(['New', 'Other', 'New', 'New', 'New'].map((name) => ({ name })));
  expect(await related(client, `/api/products/${ids[3] ?? 0}`, 'vendor')).toBe(author);
});

test('updateMany refuses a taken unique value and leaves other entries unchanged', async () => {
  const documents = documentsOn(client.service.database.db);
  const others: Filter = { kind: 'comparison', field: idField, operator: '$ne', operands: [ids[0] ?? 0] };
  await expect(update(documents, others, { sku: 'sku-0', name: 'New' })).rejects.toMatchObject({ code: 'validation' });
  expect(await stored().countDocuments({ name: 'Old' })).toBe(5);
});

test.each([
  ['before', 0],
  ['after', 5],
] as const)(
  'an updateMany interrupted %s its command leaves %i entries changed and no transaction',
  async (when, changed) => {
    const documents = documentsOn(cutOff(client.service.database.db, when, 'updateMany', 'products'));
    await expect(update(documents, undefined, { name: 'New' })).rejects.toMatchObject({ code: 'unavailable' });
    expect(await stored().countDocuments({ name: 'New' })).toBe(changed);
    expect(await client.service.database.db.collection('_transactions').countDocuments()).toBe(0);
    expect(await update(documents, undefined, { name: 'New' })).toBe(5);
  },
);
