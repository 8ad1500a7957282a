import { expect, test } from '@jest/globals';
import { system } from '../../../src/documents/caller.js';
import { createValidator } from '../../../src/documents/input/validate/validate.js';
import { plainEntry } from '../../../src/query/entry-presenter.js';
import { dyingDatabase } from '../../support/dying.js';
import { openRecordingProcess } from '../../support/recording-process.js';
import { scaled } from '../../support/scaled.js';
import { useService } from '../../support/service.js';

const client = useService();
const request = { caller: system, presenter: plainEntry, selection: { fields: [], populate: [] } };
const typeOf = (uid: string) => {
  const type = client.service.registry.contentTypes.get(uid);
  if (type === undefined) throw new Error(`There is no ${uid}`);
  return type;
};

interface Entries {
  readonly author: number;
  readonly renamed: number;
  readonly deleted: number;
}

const batchOf = (name: string, { author, renamed, deleted }: Entries) =>
  [
    {
      kind: 'create',
      type: typeOf('api::article.article'),
      as: 'a',
      data: { title: name, locale: 'en', tags: [deleted, renamed] },
    },
    {
      kind: 'update',
      type: typeOf('api::author.author'),
      id: author,
      data: { bio: name, articles: { connect: ['$a'] } },
    },
    { kind: 'update', type: typeOf('api::tag.tag'), id: renamed, data: { name: `${name} renamed` } },
    { kind: 'delete', type: typeOf('api::tag.tag'), id: deleted },
  ] as const;

/** What is stored of a batch. */
async function stored(name: string, { author, renamed, deleted }: Entries): Promise<unknown> {
  const { db } = client.service.database;
  const one = (collection: string, id: number) => db.collection(collection).findOne({ _id: id as never });
  const article = await db.collection('articles').findOne({ title: name });
  return {
    article: article !== null,
    tags: article?.['tags'] as unknown,
    linked: article?.['author'] as unknown,
    bio: (await one('authors', author))?.['bio'] as unknown,
    name: (await one('tags', renamed))?.['name'] as unknown,
    deleted: (await one('tags', deleted)) === null,
  };
}

test.each([
  ['', true],
  [' that is refused', false],
])('after a crash at any command a batch%s is done or undone', async (title, isValid) => {
  const { registry, database } = client.service;
  const validator = createValidator(registry);
  const reader = openRecordingProcess(database.db, registry, validator);
  await reader.log.turnOn();
  const seen = new Set<boolean>();
  let commands = 0;
  for (let died = true; died; commands += 1) {
    // With and without the last reply; usually in turns.
    for (const replies of [commands % 2 === 0, commands % 2 === 1].slice(0, scaled(1, 2))) {
      const name = `${title} ${commands} ${replies}`;
      const entries = {
        author: await client.create('authors', { name, bio: 'before' }),
        renamed: await client.create('tags', { name }),
        deleted: await client.create('tags', { name: `${name} deleted` }),
      };
      const start = await reader.log.horizon();
      const dying = dyingDatabase(database.db, commands, replies);
      const { documents, log } = openRecordingProcess(dying.db, registry, validator);
      // The database refuses the last write, because another entry has its unique value.
      if (!isValid) await client.create('tags', { name: `${name} renamed` });
      const from = isValid ? start : await reader.log.horizon();
      const acknowledged = await log
        .turnOn()
        .then(() => documents.batch(batchOf(name, entries).map((operation) => ({ ...operation, request }))))
        .then(() => !dying.isDead())
        .catch(() => false);
      died = dying.isDead();
      // Before it is decided what happens to the batch, no event of it is visible.
      await reader.log.recover(registry, 0);
      await reader.store.sweep(true);
      await reader.log.recover(registry, 0);
      const events = await reader.log.read(from, await reader.log.horizon(), 10);
      const isDone = ((await stored(name, entries)) as { article: boolean }).article;
      expect([name, await stored(name, entries)]).toEqual([
        name,
        isDone
          ? {
              article: true,
              tags: [entries.renamed],
              linked: entries.author,
              bio: name,
              name: `${name} renamed`,
              deleted: true,
            }
          : { article: false, tags: undefined, linked: undefined, bio: 'before', name, deleted: false },
      ]);
      expect([name, events.map(({ action }) => action).toSorted()]).toEqual([
        name,
        isDone ? ['create', 'delete', 'update', 'update'] : [],
      ]);
      if (acknowledged) expect(isDone).toBe(true);
      seen.add(isDone);
    }
  }
  expect([...seen].toSorted()).toEqual(isValid ? [false, true] : [false]);
  expect(commands).toBeGreaterThan(10);
});
