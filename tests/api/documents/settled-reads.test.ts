import { expect, jest, test } from '@jest/globals';
import { emptyQuery } from '../../../src/documents/context.js';
import { selectionOf } from '../../../src/documents/events/announcement.js';
import { findSettled } from '../../../src/documents/read.js';
import { openStore } from '../../../src/mongo/store.js';
import { Transactions } from '../../../src/mongo/transactions/transactions.js';
import { plainEntry } from '../../../src/query/entry-presenter.js';
import { parseFilters } from '../../../src/query/parse/parse-filters.js';
import type { ContentType } from '../../../src/content-types/model/types.js';
import { useService } from '../../support/service.js';

const client = useService();

test('a read for events waits for locked entries that its query shows, and for no others', async () => {
  const { database, registry } = client.service;
  const type = registry.contentTypes.get('api::author.author') as ContentType;
  const [free, locked, hidden] = [
    await client.create('authors', { name: 'shown' }),
    await client.create('authors', { name: 'shown' }),
    await client.create('authors', { name: 'hidden' }),
  ];
  const other = new Transactions({ db: database.db, timeout: 60_000 }).open();
  const key = (id: number) => ({ collection: 'authors', id });
  await other.lock([key(locked), key(hidden)]);
  await other.apply([{ ...key(locked), kind: 'update', fields: new Map([['email', 'undone@example.org']]) }]);

  const store = openStore(database.db, { timeout: 60_000, exclusive: false });
  const waiting = jest.spyOn(store.transactions, 'awaitUnlocked').mockImplementation(async (...keys) => {
    await other.abort();
    waiting.mockRestore();
    return store.transactions.awaitUnlocked(...keys);
  });
  const waits = waiting.mock.calls;
  const filter = parseFilters({ name: 'shown' }, type.attributes, 'client');
  const query = { ...emptyQuery(type), ...selectionOf(type), filter };
  const entries = await findSettled(store, query, [free, locked, hidden]);
  expect(entries.map((entry) => entry(plainEntry))).toMatchObject([
    { id: free, email: null },
    { id: locked, email: null },
  ]);
  expect(waits.map(([keys]) => keys)).toEqual([[key(free), key(locked)]]);
});
