import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { describeViolation } from '../../../../src/mongo/maintenance/check/violation.js';
import { checkIntents } from '../../../../src/mongo/maintenance/check/check-database.js';
import type { RefusedIntent } from '../../../../src/mongo/write/finish-intents.js';
import { openIntents } from '../../../../src/mongo/write/intents.js';
import { openStore } from '../../../../src/mongo/store.js';
import { createTestService } from '../../../../src/testing.js';
import { useService } from '../../../support/service.js';
import { createMany, related } from './related.js';
import { set, writeByHand } from './write-by-hand.js';

// Its data is broken on purpose.
const client = useService({}, { checked: false });
const { create, get, put } = client;
const { fromOther } = writeByHand(client);

const articles = () => client.service.database.db.collection<{ _id: number }>('articles');
/** Stores an article in a form that the database refuses to link. */
const refuse = (id: number) => articles().updateOne({ _id: id }, { $set: { '_rank.tags': 'broken' } });
const allow = (id: number) => articles().updateOne({ _id: id }, { $unset: { _rank: '' } });

const intents = () => client.service.database.db.collection<{ _id: string; failed?: object }>('_intents');
beforeEach(async () => {
  await intents().deleteMany({});
});

let count = 0;
/** An article that will be refused, two that will not be, and a tag. */
async function poison(): Promise<readonly [poisoned: number, one: number, two: number, tag: number]> {
  const poisoned = await create('articles', { title: 'Poisoned' });
  const [one = 0, two = 0] = await createMany(client, 'articles', 2, () => ({ title: 'Sound' }));
  const tag = await create('tags', { name: `Ada ${(count += 1)}` });
  await refuse(poisoned);
  return [poisoned, one, two, tag];
}

const storeOn = (exclusive: boolean) => {
  const reported: RefusedIntent[] = [];
  const reportRefused = (refused: RefusedIntent): void => void reported.push(refused);
  return { reported, store: openStore(client.service.database.db, { timeout: 5000, exclusive, reportRefused }) };
};

test('a write with a refused dependent step completes the other steps and keeps its intent with the error', async () => {
  const [poisoned, one, two, tag] = await poison();
  await put(`/api/tags/${tag}`, { articles: [one] });
  expect((await put(`/api/tags/${tag}`, { articles: [poisoned, two] })).status).toBe(500);
  expect(await related(client, `/api/tags/${tag}`, 'articles')).toEqual([two]);
  const left = await intents()
    .find({ failed: { $exists: true } })
    .toArray();
  expect(left).toMatchObject([{ failed: { tries: 1, message: expect.any(String) } }]);
  const [breach] = await checkIntents(client.service.database.db);
  expect(breach && describeViolation(breach)).toMatch(/^_intents \S+: cannot be completed, tried 1 times, last at /);
  // Nothing else waits for it.
  expect((await put(`/api/tags/${tag}`, { articles: [one] })).status).toBe(200);
});

test.each([
  ['the next start', true],
  ['a sweep', false],
])('an intent that the database refuses does not block others from being completed by %s', async (_, exclusive) => {
  const [poisoned, one, two, tag] = await poison();
  const [update, ...steps] = await fromOther('tag', tag, 'articles', set(poisoned, one));
  const other = await create('tags', { name: `Bert ${(count += 1)}` });
  const [otherUpdate, ...otherSteps] = await fromOther('tag', other, 'articles', set(two));
  const { registry, database } = client.service;
  const { store, reported } = storeOn(exclusive);
  await openIntents(database.db).record({ id: 'refused', writes: [update, ...steps] });
  await openIntents(database.db).record({ id: 'sound', writes: [otherUpdate, ...otherSteps] });
  await store.apply([update]);
  await store.apply([otherUpdate]);

  await (exclusive ? store.prepare(registry) : store.sweep(registry, 0));
  expect(await related(client, `/api/tags/${tag}`, 'articles')).toEqual([one]);
  expect(await related(client, `/api/tags/${other}`, 'articles')).toEqual([two]);
  expect(await intents().find().toArray()).toMatchObject([{ _id: 'refused', failed: { tries: 1 } }]);
  expect(reported).toMatchObject([{ id: 'refused', tries: 1 }]);

  await store.sweep(registry, 0);
  expect(reported).toMatchObject([{ tries: 1 }, { id: 'refused', tries: 2 }]);
  await allow(poisoned);
  await store.sweep(registry, 0);
  expect(await intents().countDocuments()).toBe(0);
  expect(await related(client, `/api/tags/${tag}`, 'articles')).toEqual([poisoned, one]);
});

test('refused intents are retried with increasing delay', async () => {
  const { client: driver, db: served } = client.service.database;
  // No service looks after it, which would retry them.
  const db = driver.db(`${served.databaseName}_apart`);
  const at = new Date(Date.now() - 5 * 60_000);
  const stored = (tries: number) => ({ _id: String(tries), at, writes: [], failed: { at, message: 'no', tries } });
  await db.collection<{ _id: string }>('_intents').insertMany([1, 2, 3, 20].map(stored));
  const due = async (olderThan: number): Promise<readonly string[]> =>
    (await openIntents(db).left(client.service.registry, olderThan)).map(({ id }) => id);
  expect(await due(60_000)).toEqual(['1', '2']);
  expect(await due(0)).toEqual(['1', '2', '3', '20']);
  await db.dropDatabase();
});

test('refused intents are counted in the metrics', async () => {
  const [poisoned, , , tag] = await poison();
  await put(`/api/tags/${tag}`, { articles: [poisoned] });
  const { text } = await get('/metrics');
  expect(text).toMatch(/^interrupted_writes_refused_total [1-9]/m);
});

describe('a relation changed from one-to-one to a list without migration', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'changed-'));
  afterAll(() => fs.rmSync(folder, { recursive: true }));
  const person = {
    kind: 'collectionType',
    collectionName: 'persons',
    info: { singularName: 'person', pluralName: 'persons', displayName: 'Person' },
    options: {},
    attributes: { name: { type: 'string' } },
  };
  const note = (relation: string) => ({
    kind: 'collectionType',
    collectionName: 'notes',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    options: {},
    attributes: {
      who: { type: 'relation', relation, target: 'api::person.person' },
      about: { type: 'component', component: 'shared.about', repeatable: relation === 'oneToMany' },
    },
  });
  const about = (relation: string) => ({
    attributes: { who: { type: 'relation', relation, target: 'api::person.person' } },
  });
  const define = (name: string, relation: string): string => {
    const contentTypes = path.join(folder, name);
    fs.mkdirSync(path.join(contentTypes, 'components', 'shared'), { recursive: true });
    const write = (file: string, content: object): void =>
      fs.writeFileSync(path.join(contentTypes, file), JSON.stringify(content));
    write('person.json', person);
    write('note.json', note(relation));
    write('components/shared/about.json', about(relation));
    return contentTypes;
  };

  test.each([
    ['oneToOne', 'oneToMany', (gone: number) => gone, () => undefined],
    ['oneToMany', 'oneToOne', (gone: number, stays: number) => [gone, stays], (stays: number) => [stays]],
  ])('from %s to %s: a target can be deleted, and its references are removed', async (former, latter, linked, left) => {
    const mongodbUri = process.env['TEST_MONGODB_URI'] ?? '';
    const environment = { DATABASE_NAME: `changed_${process.pid}_${former}` };
    const [first, second] = [define(`${former}1`, former), define(`${former}2`, latter)];
    const before = await createTestService({ contentTypes: first, mongodbUri, environment });
    const { entries } = before;
    const gone = await entries.create('api::person.person', { name: 'Ada' });
    const stays = await entries.create('api::person.person', { name: 'Bert' });
    const who = linked(gone.id, stays.id);
    const made = await entries.create('api::note.note', { who, about: Array.isArray(who) ? [{ who }] : { who } });
    // The other service makes its own.
    await before.database.db.collection('strapi_api_tokens').deleteMany({});
    const service = await createTestService({ contentTypes: second, mongodbUri, environment });
    const { db } = service.database;
    const removed = await request(service.url)
      .delete(`/api/persons/${gone.id}`)
      .auth(service.token, { type: 'bearer' });
    const stored = await db
      .collection<{ _id: number; who?: unknown; about?: { who?: unknown } | { who?: unknown }[] }>('notes')
      .findOne({ _id: made.id });
    const failed = await db.collection('_intents').countDocuments({ failed: { $exists: true } });
    await service.close();
    await before.close();
    expect({ status: removed.status, failed }).toEqual({ status: 200, failed: 0 });
    const inComponents = [stored?.about ?? []].flat().map(({ who: links }) => links);
    expect([stored?.who, inComponents]).toEqual([left(stays.id), [left(stays.id)]]);
  });
});
