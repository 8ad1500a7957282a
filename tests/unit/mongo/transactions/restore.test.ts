import { expect, test } from '@jest/globals';
import type { Db } from 'mongodb';
import { restoreEntries } from '../../../../src/mongo/transactions/restore.js';

test('a working copy goes after its entry has stopped saying that there is one', async () => {
  const order: string[] = [];
  const collection = (name: string) => ({
    bulkWrite: async () => {
      order.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`${name} ends`);
    },
  });
  const records = ['_copies.articles', 'articles'].map((name) => ({
    _id: `a ${name} 1`,
    collection: name,
    id: 1,
    document: name === 'articles' ? { _id: 1 } : null,
  }));
  await restoreEntries({ collection } as unknown as Db, 'a', records, 1000);
  expect(order).toEqual(['articles begins', 'articles ends', '_copies.articles begins', '_copies.articles ends']);
});
