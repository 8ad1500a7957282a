import { expect, jest, test } from '@jest/globals';
import type { Db } from 'mongodb';
import { system } from '../../../src/documents/caller.js';
import { createDocuments } from '../../../src/documents/documents.js';
import { createValidator } from '../../../src/documents/input/validate/validate.js';
import { createPasswords } from '../../../src/documents/write/passwords.js';
import { openIdempotencyKeys } from '../../../src/mongo/coordination/idempotency-keys.js';
import { openStore } from '../../../src/mongo/store.js';
import { plainEntry } from '../../../src/query/entry-presenter.js';
import { answerOnce } from '../../../src/rest/conditional/idempotency.js';
import { dyingDatabase } from '../../support/dying.js';
import { useService } from '../../support/service.js';

const client = useService();
const request = { caller: system, presenter: plainEntry, selection: { fields: [], populate: [] } };

/** A process that creates a tag of two articles when it gets a request with a key. */
function openProcess(db: Db) {
  const { registry } = client.service;
  const type = registry.contentTypes.get('api::tag.tag');
  if (type === undefined) throw new Error('There are no tags');
  const store = openStore(db, { timeout: 5000, exclusive: false });
  const parts = {
    registry,
    store,
    validator: createValidator(registry),
    passwords: createPasswords(),
    relationLimit: 100,
  };
  const documents = createDocuments(parts);
  const recover = () => store.sweep(registry, 0);
  const keys = openIdempotencyKeys(db, { abandoned: 60_000, recover });
  return {
    recover,
    create: (key: string, data: object) =>
      answerOnce(keys, { key, hash: 'same' }, async (use) =>
        JSON.stringify(await documents.create(type, data, request, { key: use })),
      ),
  };
}

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
    await db.collection('_idempotency_keys').updateMany({}, { $set: { renewed: new Date(0) } });
    const next = openProcess(db);
    const { body } = await next.create(name, data);
    const { id } = JSON.parse(String(body)) as { readonly id: number };
    expect(await next.create(name, data)).toEqual({ body, isRepeated: true });
    await next.recover();
    await next.recover();
    const stored = await client.get(`/api/tags?filters[name]=${name}&populate=articles`);
    expect(stored.body.data.map((tag: { readonly id: number }) => tag.id)).toEqual([id]);
    const linked = stored.body.data[0].attributes.articles.data.map((article: { readonly id: number }) => article.id);
    expect(linked).toEqual(articles);
  }
  expect(commands).toBeGreaterThan(8);
});

test('a repetition that cannot complete the interrupted request does not keep the key', async () => {
  const { db } = client.service.database;
  const recover = (): Promise<never> => Promise.reject(new Error('no database'));
  const keys = openIdempotencyKeys(db, { abandoned: -60_000, recover });
  const first = await keys.begin('interrupted', 'request');
  if (first.kind !== 'begun') throw new Error(first.kind);
  await first.use.reserve(1);
  const renewals = jest.spyOn(globalThis, 'setInterval');
  await expect(keys.begin('interrupted', 'request')).rejects.toThrow('no database');
  expect(renewals.mock.calls).toEqual([]);
  renewals.mockRestore();
  await first.use.fail();
});
