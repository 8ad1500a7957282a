import { expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import type { ContentType } from '../../../../src/content-types/model/types.js';
import { openCounters } from '../../../../src/mongo/write/counters.js';
import { openIntents } from '../../../../src/mongo/write/intents.js';
import { openStore } from '../../../../src/mongo/store.js';
import type { Changes, StoredValue, Write } from '../../../../src/query/mutation.js';
import { useService } from '../../../support/service.js';

// Values that no other can have stay different here: what a localization got since counts.
const client = useService(
  {
    contentTypes: 'tests/api/plugins/i18n/content-types',
    plugins: { i18n: { config: { locales: ['en', 'fr', 'de'] } } },
  },
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

const typeOf = (): ContentType => {
  const type = client.service.registry.contentTypes.get('api::ware.ware');
  if (type === undefined) throw new Error('There are no wares');
  return type;
};

/** A process records these writes, does the first, and dies. Gives what another process does later. */
async function leaveBehind(writes: readonly [Write, ...Write[]]): Promise<() => Promise<void>> {
  const { database, registry } = client.service;
  const store = openStore(database.db, { timeout: 5000, exclusive: false });
  await openIntents(database.db).record({ id: 'left', writes });
  await store.apply([writes[0]]);
  return async () => {
    await store.sweep(registry, 0);
    expect(await database.db.collection('_intents').countDocuments()).toBe(0);
  };
}

const nothing = { paths: [], remove: [], add: [] };
const changesOf = (values: ReadonlyMap<string, StoredValue>, updatedAt: Date): Changes => ({
  values: new Map<string, StoredValue>([...values, ['updatedAt', updatedAt]]),
  merges: new Map(),
  links: [],
  references: nothing,
  uniqueKeys: nothing,
});

/** A process changes shared values of an entry, and dies before its localizations have them. */
async function changeHalf(id: number, values: ReadonlyMap<string, StoredValue>): Promise<() => Promise<void>> {
  const type = typeOf();
  const { rank } = await openCounters(client.service.database.db).reserve(type.uid, { ids: 0, ranks: 1 });
  const names = [...values.keys()];
  const at = new Date();
  const changes = { ...changesOf(values, at), stamps: new Map(names.map((name) => [name, rank])) };
  return leaveBehind([
    { kind: 'update', type, id, changes },
    ...names.map((name): Write => ({ kind: 'share', type, id, from: id, names: [name], links: false, at })),
  ]);
}

test('recovery completes a shared value although a localization was written since', async () => {
  const group = await localizations({ amount: 1, serial: '9223372036854775807' });
  const sweep = await changeHalf(
    group[0],
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

test('recovery does not overwrite a shared value that was written since', async () => {
  const group = await localizations({ amount: 1 });
  const sweep = await changeHalf(group[0], new Map([['amount', 5]]));
  await put(`/api/wares/${group[1]}`, { amount: 7 });
  await sweep();
  for (const id of group) expect(await stored(id)).toMatchObject({ amount: 7 });
});

test('recovery completes a write whose shared unique value was taken by another entry since', async () => {
  const group = await localizations({ code: 'BEFORE' });
  const sweep = await changeHalf(group[0], new Map([['code', 'WANTED']]));
  const { status } = await client.post('/api/wares', { code: 'WANTED', locale: 'fr' });
  expect(status).toBe(200);
  await sweep();
  expect(await stored(group[1])).toMatchObject({ code: 'BEFORE' });
});

test('recovery equalizes shared values left by a version without write numbers', async () => {
  const type = typeOf();
  const group = await localizations({ amount: 1 });
  const [en, fr] = group;
  const changes = changesOf(new Map([['amount', 5]]), new Date());
  const sweep = await leaveBehind([
    { kind: 'update', type, id: en, changes },
    { kind: 'update', type, id: fr, changes },
  ]);
  await sweep();
  for (const id of group) expect(await stored(id)).toMatchObject({ amount: 5 });
});

test('recovery links localizations that two crashed processes created concurrently', async () => {
  const type = typeOf();
  const en = await create('wares', { amount: 3 });
  const attribute = type.attributes.get('localizations');
  if (attribute?.kind !== 'relation') throw new Error('localizations is no relation');
  const { db } = client.service.database;
  const [counters, store] = [openCounters(db), openStore(db, { timeout: 5000, exclusive: false })];
  const ids: number[] = [];
  for (const locale of ['fr', 'de']) {
    const { id } = await counters.reserve(type.uid, { ids: 1, ranks: 0 });
    const at = new Date();
    const connect = [{ id: en, position: { at: 'end' }, locale: 'en' }] as const;
    const links = [{ attribute, replaces: true, disconnect: [], connect, ranks: ['en'] }];
    const changes: Changes = { ...changesOf(new Map([['locale', locale]]), at), links };
    const join: Write = { kind: 'share', type, id, from: en, names: ['amount'], links: true, at };
    const writes: readonly [Write, ...Write[]] = [{ kind: 'insert', type, id, changes }, join, join];
    await openIntents(db).record({ id: `left ${locale}`, writes });
    await store.apply([writes[0]]);
    ids.push(id);
  }
  await store.sweep(client.service.registry, 0);
  const group = [en, ...ids];
  for (const id of group) {
    const { localizations: others, amount } = await stored(id);
    expect({ id, others: others.toSorted(), amount }).toEqual({
      id,
      others: group.filter((one) => one !== id),
      amount: 3,
    });
  }
});
