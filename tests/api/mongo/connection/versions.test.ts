import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { storedVersions } from '../../../../src/mongo/cache/stored-versions.js';
import { changesSince, versionText, type VersionLog, type Versions } from '../../../../src/mongo/cache/versions.js';
import { openStore } from '../../../../src/mongo/store.js';
import type { PrimaryWrite } from '../../../../src/query/mutation.js';
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
  const versions = storedVersions(cutOff(db, 'before', 'bulkWrite', '_versions'));
  const read = () => textOf(versions, ['lost', 'next', 'untouched']);
  const before = await read();
  await expect(versions.raise([{ type: 'lost' }])).rejects.toThrow('cut off');
  expect(await read()).toBe(before);
  await versions.raise([{ type: 'next' }]);
  expect(await read()).toBe('0.1 0.1 0.0');
  await versions.raise([]);
  expect(await read()).toBe('0.1 0.1 0.0');
});

test('a write with an unknown outcome increments the version, so that cached counts are invalidated', async () => {
  const { database, registry } = service.service;
  const type = registry.contentTypes.get('api::tag.tag');
  if (type === undefined) throw new Error('There are no tags');
  const id = await service.create('tags', { name: 'Counted' });
  const versions = storedVersions(database.db);
  const before = await textOf(versions, [type.uid]);
  const cut = cutOff(database.db, 'after', 'deleteOne', 'tags');
  const remove: PrimaryWrite = { kind: 'remove', type, id, references: [] };
  const store = openStore(cut, { timeout: 60_000, exclusive: false });
  await expect(store.apply([remove])).rejects.toMatchObject({ code: 'unavailable' });
  // Whoever waits for the answer does not wait for that.
  while ((await textOf(versions, [type.uid])) === before);
});

interface LoggedType {
  readonly version: string;
  readonly log: VersionLog;
}

describe('the log of shared versions', () => {
  const changed = (names: readonly string[]) => [{ type: 'logged', id: 1, names }];
  const read = async (versions: Versions): Promise<LoggedType> => {
    const { version, log } = (await versions.read(['logged'])).get('logged') ?? {};
    return { version: version ?? '', log: (await log?.()) ?? [] };
  };

  const numberOf = ({ version }: LoggedType): number => Number(version.split('.')[1]);

  test('has the changes of all processes since a version', async () => {
    const [writer, reader] = [storedVersions(db), storedVersions(db)];
    const before = await read(reader);
    expect(changesSince(before.log, before.version)).toEqual([]);
    await writer.raise(changed(['title']));
    await storedVersions(db).raise([{ type: 'logged', id: 2 }]);
    const after = await read(reader);
    expect(changesSince(after.log, before.version)).toEqual([
      { type: 'logged', id: 1, names: ['title'] },
      { type: 'logged', id: 2 },
    ]);
    // Also in a process that starts later.
    const late = await read(storedVersions(db));
    expect(changesSince(late.log, '0.1')).toEqual([{ type: 'logged', id: 2 }]);
    expect(changesSince(late.log, '0.3')).toBeUndefined();
  });

  test('begins anew when a backup brings an earlier version back', async () => {
    const [writer, reader] = [storedVersions(db), storedVersions(db)];
    await writer.raise(changed(['title']));
    await read(reader);
    const stored = db.collection<{ _id: string }>('_versions');
    const backup = (await stored.findOne({ _id: 'logged' })) ?? {};
    for (let count = 0; count < 2; count += 1) {
      await writer.raise(changed(['title']));
      await read(reader);
    }
    const before = await read(reader);
    await stored.replaceOne({ _id: 'logged' }, backup);
    const after = await read(reader);
    expect(numberOf(after)).toBe(numberOf(before) - 2);
    expect(changesSince(after.log, before.version)).toBeUndefined();
  });

  test('begins anew when a connection is lost, as the number of a lost version is given to another write', async () => {
    let lost = 0;
    const versions = storedVersions(db, () => lost);
    await versions.raise(changed(['title']));
    const stored = db.collection<{ _id: string }>('_versions');
    const durable = (await stored.findOne({ _id: 'logged' })) ?? {};
    await versions.raise(changed(['title']));
    const before = await read(versions);
    await stored.replaceOne({ _id: 'logged' }, durable);
    lost += 1;
    await versions.raise(changed(['text']));
    const after = await read(versions);
    expect(numberOf(after)).toBe(numberOf(before));
    expect(after.version).not.toBe(before.version);
    expect(changesSince(after.log, before.version)).toBeUndefined();
  });

  test('does not say what changed if that was anything, or too much', async () => {
    const versions = storedVersions(db);
    const much = Array.from({ length: 17 }, (_, id) => ({ type: 'logged', id }));
    for (const changes of [[{ type: 'logged' }], much]) {
      const before = await read(versions);
      await versions.raise(changes);
      await versions.raise(changed(['title']));
      const after = await read(versions);
      expect(changesSince(after.log, before.version)).toBeUndefined();
    }
    const before = await read(versions);
    await versions.raise(changed(Array.from({ length: 51 }, (_, index) => `attribute${index}`)));
    const after = await read(versions);
    expect(changesSince(after.log, before.version)).toEqual([{ type: 'logged', id: 1 }]);
  });

  test('begins anew after more versions than are stored', async () => {
    const [writer, reader] = [storedVersions(db), storedVersions(db)];
    const before = await read(reader);
    for (let count = 0; count < 33; count += 1) await writer.raise(changed(['title']));
    const after = await read(reader);
    expect(numberOf(after) - numberOf(before)).toBe(33);
    expect(changesSince(after.log, before.version)).toBeUndefined();
    expect(changesSince(after.log, `0.${numberOf(after) - 30}`)).toHaveLength(30);
  });

  test('has nothing of versions that were removed', async () => {
    const versions = storedVersions(db);
    await versions.raise(changed(['title']));
    const before = await read(versions);
    await db.collection<{ _id: string }>('_versions').deleteOne({ _id: 'logged' });
    const after = await read(versions);
    expect(changesSince(after.log, before.version)).toBeUndefined();
  });
});
