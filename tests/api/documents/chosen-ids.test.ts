import { expect, test } from '@jest/globals';
import type { Db } from 'mongodb';
import { system } from '../../../src/documents/caller.js';
import { openStore } from '../../../src/mongo/store.js';
import { raiseCounters } from '../../../src/mongo/write/counters.js';
import { plainEntry } from '../../../src/query/entry-presenter.js';
import { openDocuments } from '../../support/open-documents.js';
import { useService } from '../../support/service.js';

const client = useService({ contentTypes: 'packages/versions/tests/content-types' });
const request = {
  caller: system,
  presenter: plainEntry,
  selection: { fields: [], populate: [] },
  event: 'none',
} as const;
const uid = 'api::card.card';

/** A process of its own, whose `create` returns the id, or the rule that refuses it. */
function openProcess(db: Db) {
  const { registry } = client.service;
  const card = registry.contentTypes.get(uid);
  if (card === undefined) throw new Error(`There is no ${uid}`);
  const store = openStore(db, { timeout: 60_000, exclusive: false, recordBefore: true, patience: 100 });
  const documents = openDocuments(registry, store);
  let labels = 0;
  const create = (id?: number): Promise<unknown> =>
    documents.create(card, { label: `${process.hrtime.bigint()} ${(labels += 1)}` }, request, { id }).then(
      (entry) => (entry as { readonly id: number }).id,
      (error: { readonly issues?: readonly { readonly rule: string }[] }) => error.issues?.[0]?.rule ?? error,
    );
  const remove = (id: number): Promise<unknown> => documents.delete({ type: card, id }, request);
  return { create, remove };
}

test('of several processes that choose the same ids, while others take the next one, one gets each', async () => {
  const [a, b] = [openProcess(client.service.database.db), openProcess(client.service.database.db)];
  const wanted = [3, 9, 4, 60, 5, 31, 6, 2, 8, 7];
  const [ofA, ofB, next] = await Promise.all([
    Promise.all(wanted.map((id) => a.create(id))),
    Promise.all(wanted.toReversed().map((id) => b.create(id))),
    Promise.all(wanted.map(() => b.create())),
  ]);
  const got = [...ofA, ...ofB, ...next].filter((id) => typeof id === 'number');
  expect(new Set(got).size).toBe(got.length);
  expect([...ofA, ...ofB].filter((id) => typeof id !== 'number')).toEqual(
    Array(2 * wanted.length + next.length - got.length).fill('unique'),
  );
  expect(got.filter((id) => wanted.includes(id)).toSorted((x, y) => x - y)).toEqual(wanted.toSorted((x, y) => x - y));
});

test('an id that was deleted is not chosen again, neither from the trash nor after it', async () => {
  const { create, remove } = openProcess(client.service.database.db);
  expect(await create(200)).toBe(200);
  await remove(200);
  expect(await create(200)).toBe('unique');
});

test('an id under which another program has stored an entry is refused, also after it is gone', async () => {
  const { create } = openProcess(client.service.database.db);
  const cards = client.service.database.db.collection<{ readonly _id: number }>('cards');
  await cards.insertOne({ _id: 800 });
  expect(await create(800)).toBe('unique');
  await cards.deleteOne({ _id: 800 });
  expect(await create(800)).toBe('unique');
  expect(await create()).toBe(801);
});

test('after a backup was restored, ids up to its last one are those of its entries', async () => {
  const { create } = openProcess(client.service.database.db);
  expect(await create(910)).toBe(910);
  expect(await create(905)).toBe(905);
  const counters = [{ _id: uid, id: 920, rank: 0, free: [{ from: 840, to: 919 }] }];
  await raiseCounters(client.service.database.db, counters);
  expect(await create(907)).toBe('unique');
  expect(await create(919)).toBe('unique');
  expect(await create()).toBe(921);
});
