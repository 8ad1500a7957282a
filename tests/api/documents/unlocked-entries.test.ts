import { expect, test } from '@jest/globals';
import type { ContentType } from '../../../src/content-types/model/types.js';
import { openStore, type Store } from '../../../src/mongo/store.js';
import { Transactions } from '../../../src/mongo/transactions/transactions.js';
import { noChanges, type StoredValue } from '../../../src/query/mutation.js';
import { interceptCommands } from '../../support/intercept-commands.js';
import { useService } from '../../support/service.js';

const client = useService();
const collection = 'authors';
const values = new Map<string, StoredValue>([
  ['bio', 'changed'],
  ['updatedAt', new Date()],
]);
const changes = { ...noChanges, values };

/**
 * How many entries a write finds whose first command meets an entry that is locked, and free when it looks for the
 * lock.
 */
test.each<readonly [string, (store: Store, type: ContentType, id: number) => Promise<number>]>([
  ['update', async (store, type, id) => (await store.apply([{ kind: 'update', type, id, changes }])).matched],
  ['removal', async (store, type, id) => (await store.apply([{ kind: 'remove', type, id, references: [] }])).matched],
  ['update of several entries', (store, type, id) => store.updateMany(type, [{ ids: [id], values }], undefined)],
])('an entry that was locked is there for a write (%s), although it is free in the meantime', async (_, write) => {
  const { db } = client.service.database;
  const type = client.service.registry.contentTypes.get('api::author.author') as ContentType;
  const id = await client.create(collection, { name: 'Ada' });
  const other = new Transactions({ db, timeout: 60_000 }).open();
  await other.lock([{ collection, id }]);
  const intercepted = interceptCommands(db, async (send, name, of) => {
    const result = await send();
    if (of === collection && /^(?:update|delete)/.test(name)) await other.commit();
    return result;
  });
  const store = openStore(intercepted, { timeout: 60_000, exclusive: false });
  expect(await write(store, type, id)).toBe(1);
});
