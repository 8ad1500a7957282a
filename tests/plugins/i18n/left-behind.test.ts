import { expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import { openIntents } from '../../../src/mongo/intents.js';
import { openStore } from '../../../src/mongo/store.js';
import type { StoredValue, Write } from '../../../src/query/write.js';
import { useService } from '../../support/service.js';

// Values that no other can have stay different here: what a localization got since counts.
const client = useService(
  { contentTypes: 'tests/plugins/i18n/content-types', plugins: { i18n: { config: { locales: ['en', 'fr'] } } } },
  { checked: false },
);
const { put, create } = client;

const stored = async (id: number): Promise<Document> =>
  (await client.service.database.db.collection<{ _id: number }>('wares').findOne({ _id: id })) ?? {};

async function localizations(data: object): Promise<readonly [en: number, fr: number]> {
  const en = await create('wares', data);
  const { id } = await client.service.entries.create('api::ware.ware', { locale: 'fr', localizations: [en] });
  return [en, id];
}

/** A process changes shared values of the first entry, and dies before the other has them. */
async function leaveBehind(
  [en, fr]: readonly [number, number],
  values: ReadonlyMap<string, StoredValue>,
): Promise<() => Promise<void>> {
  const { database, registry } = client.service;
  const type = registry.contentTypes.get('api::ware.ware');
  if (type === undefined) throw new Error('There are no wares');
  const nothing = { paths: [], remove: [], add: [] };
  const all = new Map<string, StoredValue>([...values, ['updatedAt', new Date()]]);
  const changes = { values: all, merges: new Map(), links: [], references: nothing, uniqueKeys: nothing };
  const update = (id: number): Write => ({ kind: 'update', type, id, changes });
  const store = openStore(database.db, { timeout: 5000, owned: false });
  await openIntents(database.db).record({ id: 'left', writes: [update(en), update(fr)] });
  await store.apply([update(en)]);
  return async () => {
    await store.sweep(registry, 0);
    expect(await database.db.collection('_intents').countDocuments()).toBe(0);
  };
}

test('a shared value that a dead process left half written is shared, although a localization was written since', async () => {
  const group = await localizations({ amount: 1, serial: '9223372036854775807' });
  const sweep = await leaveBehind(
    group,
    new Map<string, StoredValue>([
      ['amount', 5],
      ['serial', 9_007_199_254_740_993n],
    ]),
  );
  await put(`/api/wares/${group[1]}`, { title: 'Plus tard' });
  const { updatedAt } = await stored(group[1]);
  await sweep();
  expect(await stored(group[1])).toMatchObject({ amount: 5, title: 'Plus tard', updatedAt });
  const read = await client.get(`/api/wares/${group[1]}`);
  expect(read.body.data.attributes.serial).toBe('9007199254740993');
});

test('a shared value that was written since stays', async () => {
  const group = await localizations({ amount: 1 });
  const sweep = await leaveBehind(group, new Map([['amount', 5]]));
  await put(`/api/wares/${group[1]}`, { amount: 7 });
  await sweep();
  for (const id of group) expect(await stored(id)).toMatchObject({ amount: 7 });
});

test('a shared value that another entry has taken since keeps nothing from being finished', async () => {
  const group = await localizations({ code: 'BEFORE' });
  const sweep = await leaveBehind(group, new Map([['code', 'WANTED']]));
  const { status } = await client.post('/api/wares', { code: 'WANTED', locale: 'fr' });
  expect(status).toBe(200);
  await sweep();
  expect(await stored(group[1])).toMatchObject({ code: 'BEFORE' });
});
