import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { sharedVersions, versionText, type Versions } from '../../../../src/mongo/cache/versions.js';
import { openStore } from '../../../../src/mongo/store.js';
import type { Write } from '../../../../src/query/mutation.js';
import { cutOff } from '../../../support/cut-off.js';
import { useService } from '../../../support/service.js';

const uri = process.env['TEST_MONGODB_URI'] ?? '';
const other = new MongoClient(uri);
const db = other.db(`versions_${process.pid}`);
const service = useService();

const textOf = async (versions: Versions, types: readonly string[]): Promise<string> =>
  versionText(types, await versions.read(types));

beforeAll(() => other.connect());
afterAll(async () => {
  await db.dropDatabase();
  await other.close();
});

test('versions whose increment failed are incremented with the next ones', async () => {
  const versions = sharedVersions(cutOff(db, 'before', 'bulkWrite', '_versions'));
  const read = () => textOf(versions, ['lost', 'next', 'untouched']);
  const before = await read();
  await expect(versions.raise(['lost'])).rejects.toThrow('cut off');
  expect(await read()).toBe(before);
  await versions.raise(['next']);
  expect(await read()).toBe('1 1 0');
  await versions.raise([]);
  expect(await read()).toBe('1 1 0');
});

test('a write with an unknown outcome increments the version, so that cached counts are invalidated', async () => {
  const { database, registry } = service.service;
  const type = registry.contentTypes.get('api::tag.tag');
  if (type === undefined) throw new Error('There are no tags');
  const id = await service.create('tags', { name: 'Counted' });
  const versions = sharedVersions(database.db);
  const before = await textOf(versions, [type.uid]);
  const cut = cutOff(database.db, 'after', 'deleteOne', 'tags');
  const remove: Write = { kind: 'remove', type, id };
  const store = openStore(cut, { timeout: 5000, exclusive: false });
  await expect(store.apply([remove])).rejects.toMatchObject({ code: 'unavailable' });
  // Whoever waits for the answer does not wait for that.
  while ((await textOf(versions, [type.uid])) === before);
});
