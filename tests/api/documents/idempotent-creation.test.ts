import { beforeAll, expect, test } from '@jest/globals';
import type { Db } from 'mongodb';
import { system } from '../../../src/documents/caller.js';
import { createValidator, type Validator } from '../../../src/documents/input/validate/validate.js';
import type { Operation } from '../../../src/documents/write/batch/turns.js';
import { IdempotencyKeys } from '../../../src/mongo/coordination/idempotency-keys.js';
import { openStore } from '../../../src/mongo/store.js';
import { plainEntry } from '../../../src/query/entry-presenter.js';
import type { AppError } from '../../../src/errors/app-error.js';
import { dyingDatabase } from '../../support/dying.js';
import { openDocuments } from '../../support/open-documents.js';
import { recorded } from '../../support/recorded.js';
import { scaled } from '../../support/scaled.js';
import { useService } from '../../support/service.js';

const client = useService();
const request = { caller: system, presenter: plainEntry, selection: { fields: [], populate: [] } };

function tagType() {
  const type = client.service.registry.contentTypes.get('api::tag.tag');
  if (type === undefined) throw new Error('There are no tags');
  return type;
}

/** Compiled once: processes differ in nothing that it depends on. */
let validator: Validator;
beforeAll(() => {
  validator = createValidator(client.service.registry);
});

/** A process that executes requests with a key. */
function openProcess(db: Db) {
  const { registry } = client.service;
  const type = tagType();
  const store = openStore(db, { timeout: 60_000, exclusive: false });
  const documents = openDocuments(registry, store, {}, validator);
  const keys = new IdempotencyKeys(db, store.transactions);
  return {
    recover: () => store.sweep(true),
    create: (key: string, data: object) =>
      keys.once(key, 'same', async () => recorded(await documents.create(type, data, request))),
    batch: (key: string, operations: readonly Operation[]) =>
      keys.once(key, 'same', async () => recorded(await documents.batch(operations))),
  };
}

/** The processes of all open transactions count as dead. */
const letProcessesDie = async (db: Db): Promise<void> => {
  await db.collection('_transactions').updateMany({}, { $set: { at: new Date(0) } });
};

test.each([true, false])('a creation that dies is executed once, replies: %s', async (replies) => {
  const { db } = client.service.database;
  const articles = [await client.create('articles', { title: 'a' }), await client.create('articles', { title: 'b' })];
  let commands = 0;
  for (let died = true; died; commands += 1) {
    const name = `${replies} ${commands}`;
    const data = { name, articles };
    const dying = dyingDatabase(db, commands, replies);
    await openProcess(dying.db)
      .create(name, data)
      .catch(() => undefined);
    died = dying.isDead();
    await letProcessesDie(db);
    const next = openProcess(db);
    const { recorded: answer } = await next.create(name, data);
    const { id } = JSON.parse(answer.body) as { readonly id: number };
    expect(await next.create(name, data)).toEqual({ recorded: answer, isRepeated: true });
    await next.recover();
    await next.recover();
    const stored = await client.get(`/api/tags?filters[name]=${name}&populate=articles`);
    expect(stored.body.data.map((tag: { readonly id: number }) => tag.id)).toEqual([id]);
    const linked = stored.body.data[0].attributes.articles.data.map((article: { readonly id: number }) => article.id);
    expect(linked).toEqual(articles);
  }
  expect(commands).toBeGreaterThan(8);
});

test('a batch that dies at any command is executed once', async () => {
  const { db } = client.service.database;
  const type = tagType();
  const name = type.attributes.get('name');
  if (name?.kind !== 'scalar') throw new Error('Tags have no name');
  const named = { ...request, selection: { fields: [name], populate: [] } };
  const article = await client.create('articles', { title: 'tagged' });
  const refusals = new Set<unknown>();
  let commands = 0;
  for (let died = true; died; commands += 1) {
    // With and without the last reply; usually in turns.
    for (const replies of [commands % 2 === 0, commands % 2 === 1].slice(0, scaled(1, 2))) {
      const key = `batch ${commands} ${replies}`;
      const changed = await client.create('tags', { name: `${key} changed`, color: 'red' });
      const removed = await client.create('tags', { name: `${key} removed`, articles: [article] });
      const operations = [
        { kind: 'create', type, request: named, data: { name: `${key} new`, articles: { connect: [article] } } },
        { kind: 'update', type, request: named, id: changed, data: { color: 'blue' } },
        { kind: 'delete', type, request: named, id: removed },
      ] as const;
      const dying = dyingDatabase(db, commands, replies);
      await openProcess(dying.db)
        .batch(key, operations)
        .catch(() => undefined);
      died = dying.isDead();
      // Until its process counts as dead, nobody else begins.
      const claimed = await db.collection('_idempotency_keys').findOne({ _id: key as never, body: { $exists: false } });
      if (
        claimed !== null &&
        (await db.collection('_transactions').findOne({ _id: claimed['by'], state: 'open' })) !== null
      )
        await openProcess(db)
          .batch(key, operations)
          .catch((error: unknown) => refusals.add((error as AppError).code));
      await letProcessesDie(db);
      const next = openProcess(db);
      const { recorded: answer } = await next.batch(key, operations);
      expect(await next.batch(key, operations)).toEqual({ recorded: answer, isRepeated: true });
      await next.recover();
      const stored = await client.get(`/api/tags?filters[name][$startsWith]=${key}&sort=id&populate=articles`);
      const entries: readonly {
        id: number;
        attributes: { name: string; color: string; articles: { data: unknown[] } };
      }[] = stored.body.data;
      const id = entries[1]?.id;
      expect(
        entries.map(({ attributes: { color, articles } }, index) => [entries[index]?.id, color, articles.data.length]),
      ).toEqual([
        [changed, 'blue', 0],
        [id, null, 1],
      ]);
      expect([key, JSON.parse(answer.body)]).toEqual([
        key,
        [
          { id, name: `${key} new` },
          { id: changed, name: `${key} changed` },
          { id: removed, name: `${key} removed` },
        ],
      ]);
    }
  }
  expect([...refusals]).toEqual(['conflict']);
  expect(commands).toBeGreaterThan(15);
});
