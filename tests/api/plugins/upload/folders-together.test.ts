import { afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Db } from 'mongodb';
import { createEntries } from '../../../../src/documents/entries.js';
import { createValidator, type Validator } from '../../../../src/documents/input/validate/validate.js';
import { openLocks } from '../../../../src/mongo/coordination/locks.js';
import { openStore } from '../../../../src/mongo/store.js';
import { createDistributedLock } from '../../../../src/plugins/contract/distributed-lock.js';
import { Folders } from '../../../../src/plugins/upload/folders/folders.js';
import { fileTypeOf } from '../../../../src/plugins/upload/definitions.js';
import { dyingDatabase } from '../../../support/dying.js';
import { openDocuments } from '../../../support/open-documents.js';
import { scaled } from '../../../support/scaled.js';
import { useService } from '../../../support/service.js';
import { send } from './media.js';

const ROUNDS = scaled(4, 40);
const client = useService({ plugins: { upload: { config: { folders: true } } } });
const limits = { defaultLimit: 25, maxLimit: 100, withCount: true, populateLimit: 100 };
const stored = (collection: string) => client.service.database.db.collection<{ _id: number }>(collection);

/** Compiled once: processes differ in nothing that it depends on. */
let validator: Validator;
beforeAll(() => {
  validator = createValidator(client.service.registry);
});

/** A process of its own on this database. */
function openProcess(db: Db) {
  const { registry } = client.service;
  const store = openStore(db, { timeout: 60_000, exclusive: false });
  const documents = openDocuments(registry, store, {}, validator);
  const entries = createEntries(documents, registry, limits);
  const inTurn = createDistributedLock('upload', openLocks(db));
  const folders = new Folders({ entries, documents, fileType: fileTypeOf(registry), inTurn });
  return { folders, recover: () => store.sweep(true) };
}

const open = (): Folders => openProcess(client.service.database.db).folders;
const uploadTo = (folder: number, name: string) =>
  send(client.service, 'post', '/api/upload', [{ name, content: name }], { fileInfo: { folder } });
const settled = async (work: readonly Promise<unknown>[]): Promise<readonly string[]> =>
  (await Promise.allSettled(work)).map(({ status }) => status).toSorted();

afterEach(async () => {
  const folders = await stored('upload_folders').find().toArray();
  await open().remove({ folders: folders.map(({ _id }) => _id), files: [] }, true);
});

interface StoredFolder {
  readonly _id: number;
  readonly pathId: number;
  readonly path: string;
  readonly parent?: number;
}

/** Every folder is reachable from the top, and its path says how. */
async function expectTree(): Promise<ReadonlyMap<number, StoredFolder>> {
  const found = (await stored('upload_folders').find().toArray()) as unknown as readonly StoredFolder[];
  const folders = new Map(found.map((folder) => [folder._id, folder]));
  const walk = (folder: StoredFolder, left = folders.size): string => {
    if (left === 0) throw new Error('There is a cycle');
    const parent = folder.parent === undefined ? undefined : folders.get(folder.parent);
    expect(folder.parent === undefined || parent !== undefined).toBe(true);
    return `${parent === undefined ? '' : walk(parent, left - 1)}/${folder.pathId}`;
  };
  for (const folder of found) expect(folder.path).toBe(walk(folder));
  return folders;
}

test('of two moves that together make a cycle, one is refused', async () => {
  const [one, other] = [open(), open()];
  for (let round = 0; round < ROUNDS; round += 1) {
    const a = await one.create({ name: `a${round}`, parent: null });
    const b = await one.create({ name: `b${round}`, parent: null });
    const outcomes = await settled([one.update(a.id, { parent: b.id }), other.update(b.id, { parent: a.id })]);
    expect(outcomes).toEqual(['fulfilled', 'rejected']);
  }
  await expectTree();
});

test('of two folders with one name in one place, one is refused', async () => {
  const [one, other] = [open(), open()];
  const outcomes: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const folder = { name: `twice ${round}`, parent: null };
    outcomes.push(...(await settled([one.create(folder), other.create(folder)])));
    const names = [
      await one.create({ name: `x${round}`, parent: null }),
      await one.create({ name: `y${round}`, parent: null }),
    ];
    const [x, y] = names.map(({ id }) => id) as [number, number];
    outcomes.push(...(await settled([one.update(x, { name: `z${round}` }), other.update(y, { name: `z${round}` })])));
  }
  expect(outcomes.filter((status) => status === 'fulfilled')).toHaveLength(2 * ROUNDS);
  await expectTree();
});

test('a file that is uploaded into a folder while it is deleted is in no folder, or deleted with it', async () => {
  const folders = open();
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id } = await folders.create({ name: `doomed ${round}`, parent: null });
    const withContents = round % 2 === 0;
    const [uploading] = await Promise.all([
      uploadTo(id, `late${round}.txt`),
      folders.remove({ folders: [id], files: [] }, withContents).catch(() => undefined),
    ]);
    const exists = (await stored('upload_folders').countDocuments({ _id: id })) === 1;
    const [file] = (await client.get(`/api/upload/files?filters[name]=late${round}.txt`)).body;
    if (uploading.status !== 200) expect(uploading.body.error.message).toMatch('not exist');
    else if (file !== undefined)
      expect((await stored('files').findOne({ _id: file.id })) ?? {}).toEqual(
        exists ? expect.objectContaining({ folder: id }) : expect.not.objectContaining({ folder: id }),
      );
    else expect(withContents).toBe(true);
  }
});

/**
 * A process dies after each of its commands in turn; `check` looks at what is there once another process has gone on.
 */
async function dieAtEachCommand(
  prepare: (round: string) => Promise<readonly number[]>,
  work: (folders: Folders, ids: readonly number[]) => Promise<unknown>,
  check: (folders: Folders, ids: readonly number[]) => Promise<void>,
): Promise<number> {
  const { db } = client.service.database;
  let commands = 0;
  for (let died = true; died; commands += 1) {
    const ids = await prepare(String(commands));
    const dying = dyingDatabase(db, commands, false);
    await work(openProcess(dying.db).folders, ids).catch(() => undefined);
    died = dying.isDead();
    // A holder without a heartbeat is dead after half a minute.
    await db.collection('_claims').updateMany({}, { $set: { at: new Date(0) } });
    const next = openProcess(db);
    await next.recover();
    await check(next.folders, ids);
  }
  return commands;
}

/** `outer` with `inner` and a file, beside `other`. */
const nested = async (round: string): Promise<readonly number[]> => {
  const folders = open();
  const outer = await folders.create({ name: `outer ${round}`, parent: null });
  const inner = await folders.create({ name: `inner ${round}`, parent: outer.id });
  const other = await folders.create({ name: `other ${round}`, parent: null });
  const { body } = await uploadTo(inner.id, `in ${round}.txt`);
  await stored('files').updateOne({ _id: body[0].id }, { $set: { folderPath: inner['path'] } });
  return [outer.id, inner.id, other.id, body[0].id];
};

test('a move that dies at any command leaves a tree, and its paths are completed', async () => {
  const commands = await dieAtEachCommand(
    nested,
    (folders, [outer = 0, , other = 0]) => folders.move({ folders: [outer], files: [] }, other),
    async (folders, [outer = 0, inner, other, file = 0]) => {
      await folders.repair();
      const tree = await expectTree();
      expect([undefined, other]).toContain(tree.get(outer)?.parent);
      const { folder, folderPath = null } = { ...(await stored('files').findOne({ _id: file })) } as Record<
        string,
        unknown
      >;
      expect(folder).toBe(inner);
      expect([null, tree.get(Number(inner))?.path]).toContain(folderPath);
    },
  );
  expect(commands).toBeGreaterThan(6);
});

test('a removal that dies at any command can be repeated', async () => {
  const commands = await dieAtEachCommand(
    nested,
    (folders, [outer = 0]) => folders.remove({ folders: [outer], files: [] }, true),
    async (folders, [outer = 0, inner, , file = 0]) => {
      const tree = await expectTree();
      // What is left has its place.
      const left = await stored('files').findOne({ _id: file });
      if (left !== null) expect(left).toMatchObject({ folder: inner });
      if (tree.has(Number(inner))) expect(tree.has(outer)).toBe(true);
      await folders.remove({ folders: [outer], files: [] }, true);
      const after = await expectTree();
      expect([after.has(outer), after.has(Number(inner))]).toEqual([false, false]);
      expect(await stored('files').findOne({ _id: file })).toBeNull();
    },
  );
  expect(commands).toBeGreaterThan(6);
});
