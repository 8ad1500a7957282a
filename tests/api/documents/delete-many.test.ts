import { beforeEach, expect, test } from '@jest/globals';
import type { Db } from 'mongodb';
import { system } from '../../../src/documents/caller.js';
import type { Documents } from '../../../src/documents/documents.js';
import type { DocumentHooks } from '../../../src/documents/hooks.js';
import { AppError } from '../../../src/errors/app-error.js';
import { openStore } from '../../../src/mongo/store.js';
import { id as idField, type Filter } from '../../../src/query/ast.js';
import { plainEntry } from '../../../src/query/entry-presenter.js';
import { commandsOf } from '../../support/commands.js';
import { dyingDatabase } from '../../support/dying.js';
import { openDocuments } from '../../support/open-documents.js';
import { useService } from '../../support/service.js';
import { createMany } from './relations/related.js';

const client = useService();
const request = {
  caller: system,
  presenter: plainEntry,
  selection: { fields: [], populate: [] },
  event: 'none',
} as const;

const documentsOn = (db: Db, hooks: DocumentHooks = {}): Documents => {
  const store = openStore(db, { timeout: 60_000, exclusive: false });
  return openDocuments(client.service.registry, store, { hooks: [hooks] });
};
const among = (ids: readonly number[]): Filter => ({
  kind: 'comparison',
  field: idField,
  operator: '$in',
  operands: ids,
});
const remove = (documents: Documents, filter: Filter | undefined): Promise<number> => {
  const type = client.service.registry.contentTypes.get('api::author.author');
  if (type === undefined) throw new Error('no authors');
  return documents.deleteMany(type, filter, request);
};

interface Stored {
  readonly _id: number;
  readonly author?: number;
  readonly blocks?: readonly { readonly source?: number }[];
}
const collection = (name: string) => client.service.database.db.collection<Stored>(name);
const namesOf = async (): Promise<readonly number[]> =>
  (await collection('authors').find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id);
/** The authors that articles refer to. */
const referred = async (): Promise<readonly number[]> => {
  const articles = await collection('articles').find().toArray();
  const ids = articles.flatMap(({ author, blocks = [] }) => [author, ...blocks.map(({ source }) => source)]);
  return [...new Set(ids.filter((id) => id !== undefined))].toSorted((a, b) => a - b);
};

/** Authors, each with an article in both kinds of reference. */
const createAuthors = async (count: number): Promise<readonly number[]> => {
  const ids = await createMany(client, 'authors', count, (index) => ({ name: `Author ${index}` }));
  await createMany(client, 'articles', count, (index) => ({
    title: `Article ${index}`,
    author: ids[index],
    blocks: [{ __component: 'blocks.quote', text: 'q', source: ids[count - 1 - index] }],
  }));
  return ids;
};

beforeEach(async () => {
  await collection('authors').deleteMany({});
  await collection('articles').deleteMany({});
});

test('deleteMany deletes entries and the references to them, with the same commands for two as for ten', async () => {
  const ids = await createAuthors(13);
  const documents = documentsOn(client.service.database.db);
  const counts: number[] = [];
  const deleting = (filter: Filter) =>
    commandsOf(client.service, async () => void counts.push(await remove(documents, filter)));
  const two = await deleting(among(ids.slice(0, 2)));
  expect(await deleting(among(ids.slice(2, 12)))).toEqual(two);
  expect(counts).toEqual([2, 10]);
  expect(await namesOf()).toEqual(ids.slice(12));
  expect(await referred()).toEqual(ids.slice(12));
  expect(await remove(documents, among(ids.slice(0, 3)))).toBe(0);
});

test('deleteMany runs hooks for each entry; a refusal leaves all unchanged, and so does a value changed in the meantime', async () => {
  const ids = await createAuthors(3);
  const after: number[] = [];
  const { db } = client.service.database;
  const refusing = documentsOn(db, {
    beforeDelete: async ({ id }) => {
      if (id === ids[1]) throw new AppError('badRequest', 'keep');
    },
  });
  await expect(remove(refusing, undefined)).rejects.toMatchObject({ code: 'badRequest' });
  expect(await namesOf()).toEqual(ids);
  const field = client.service.registry.contentTypes.get('api::author.author')?.attributes.get('name');
  if (field?.kind !== 'scalar') throw new Error('no name');
  const documents = documentsOn(db, {
    beforeDelete: async ({ id }) => {
      if (id === ids[1]) await collection('authors').updateOne({ _id: id }, { $set: { name: 'Other' } });
      return async () => void after.push(id);
    },
    afterWrite: ({ id, action }) => void (action === 'delete' && after.push(-id)),
  });
  const isAuthor: Filter = { kind: 'comparison', field, operator: '$startsWith', operands: ['Author'] };
  expect(await remove(documents, isAuthor)).toBe(2);
  const gone = [ids[0] ?? 0, ids[2] ?? 0];
  expect(after.toSorted((a, b) => a - b)).toEqual([...gone.map((id) => -id).toReversed(), ...gone]);
  expect(await namesOf()).toEqual([ids[1]]);
  expect(await referred()).toEqual([ids[1]]);
});

test('each entry is deleted by one of several concurrent deleteMany calls', async () => {
  await createAuthors(5);
  const { db } = client.service.database;
  const counts = await Promise.all(Array.from({ length: 4 }, () => remove(documentsOn(db), undefined)));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(5);
  expect(await referred()).toEqual([]);
});

test('after a crash at any command of deleteMany, exactly the references to deleted entries are removed', async () => {
  const { db } = client.service.database;
  const other = openStore(db, { timeout: 60_000, exclusive: false });
  const outcomes = new Set<number>();
  let commands = 0;
  for (let died = true; died; commands += 1) {
    for (const replies of [true, false]) {
      const ids = await createAuthors(2);
      const dying = dyingDatabase(db, commands, replies);
      await remove(documentsOn(dying.db), among(ids)).catch(() => undefined);
      died = dying.isDead();
      await other.sweep(true);
      const remaining = await namesOf();
      outcomes.add(remaining.length);
      expect({ commands, replies, referred: await referred() }).toEqual({ commands, replies, referred: remaining });
      await collection('authors').deleteMany({});
      await collection('articles').deleteMany({});
    }
  }
  expect([...outcomes].toSorted()).toEqual([0, 2]);
  expect(await db.collection('_transactions').countDocuments()).toBe(0);
});
