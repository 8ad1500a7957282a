import { expect, test } from '@jest/globals';
import type { ContentType } from '../../../src/content-types/model/types.js';
import { ensureIndexes, indexesOf, operatorIndexes } from '../../../src/mongo/indexes/indexes.js';
import { createOnDemand, onDemandIndexes } from '../../../src/mongo/indexes/on-demand-indexes.js';
import { openStore } from '../../../src/mongo/store.js';
import { followCommands } from '../../support/commands.js';
import { useService } from '../../support/service.js';

const client = useService();

/** Prepares the database as a start does; returns the commands. */
async function start(): Promise<readonly string[]> {
  const { service } = client;
  const store = openStore(service.database.db, { timeout: 60_000, exclusive: true });
  const names: string[] = [];
  await followCommands(
    service.database.client,
    ({ commandName }) => void names.push(commandName),
    async () => expect(await store.prepare(service.registry)).toEqual([]),
  );
  return names;
}

const collectionOf = ({ collectionName }: ContentType) => client.service.database.db.collection(collectionName);
const indexNames = async (type: ContentType): Promise<readonly string[]> =>
  (await collectionOf(type).listIndexes().toArray()).map(({ name }) => String(name));

function tagType(): ContentType {
  const tag = client.service.registry.contentTypes.get('api::tag.tag');
  if (tag === undefined) throw new Error('corpus');
  return tag;
}

test('a start on data with all of its indexes sends one command for each content type', async () => {
  const types = [...client.service.registry.contentTypes.values()];
  const indexed = types.filter((type) => indexesOf(type).length > 0);
  const sent = await start();
  const counted = ['createIndexes', 'listIndexes', 'dropIndexes'].map(
    (name) => sent.filter((one) => one === name).length,
  );
  expect(counted).toEqual([indexed.length, types.length - indexed.length, 0]);
});

test('a start recreates dropped indexes, drops obsolete ones, and keeps indexes that it did not create', async () => {
  const tag = tagType();
  const before = await indexNames(tag);
  await collectionOf(tag).dropIndex('cs_unique_name');
  await collectionOf(tag).createIndex({ color: 1 }, { name: 'cs_color_1__id_1' });
  await collectionOf(tag).createIndex({ color: -1 }, { name: 'theirs' });
  await start();
  expect((await indexNames(tag)).toSorted()).toEqual([...before, 'theirs'].toSorted());
  await collectionOf(tag).dropIndex('theirs');
});

test.each(Object.entries(onDemandIndexes))(
  'a start keeps indexes for %s, which are not the operator’s',
  async (name, indexes) => {
    const tag = tagType();
    const before = await indexNames(tag);
    await createOnDemand(client.service.database.db, tag.collectionName, name as keyof typeof onDemandIndexes);
    await start();
    const added = indexes.map((index) => index.name);
    expect((await indexNames(tag)).toSorted()).toEqual([...before, ...added].toSorted());
    expect(await operatorIndexes(client.service.database.db, tag.collectionName)).toEqual([]);
    for (const index of added) await collectionOf(tag).dropIndex(index);
  },
);

test('the last obsolete index of a content type is dropped', async () => {
  const { db } = client.service.database;
  // Types of plugins have no index of what users changed last.
  const bare: ContentType = {
    ...tagType(),
    uid: 'plugin::bare.bare',
    collectionName: 'bare',
    attributes: new Map(),
    indexes: [],
  };
  expect(await ensureIndexes(db, bare)).toEqual([]);
  await db.collection('bare').createIndex({ name: 1 }, { name: 'cs_unique_name', unique: true });
  expect(await ensureIndexes(db, bare)).toEqual([]);
  expect(await indexNames(bare)).toEqual(['_id_']);
  await db.collection('bare').drop();
});
