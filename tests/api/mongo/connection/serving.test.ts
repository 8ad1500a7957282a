import { expect, test } from '@jest/globals';
import { announceServing, countServing } from '../../../../src/mongo/coordination/serving.js';
import { useService } from '../../../support/service.js';

const client = useService();

test('running processes are counted until they stop, killed ones for one more minute', async () => {
  const { db } = client.service.database;
  expect(await countServing(db)).toBe(0);
  const ends = [await announceServing(db), await announceServing(db)];
  expect(await countServing(db)).toBe(2);
  await ends[0]?.();
  expect(await countServing(db)).toBe(1);
  await db.collection('_claims').updateMany({}, { $set: { at: new Date(Date.now() - 61_000) } });
  expect(await countServing(db)).toBe(0);
  await ends[1]?.();
});
