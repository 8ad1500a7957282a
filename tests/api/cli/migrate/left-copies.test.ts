import { expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import { migrateData } from '../../../../src/app/migrate/migrate-data.js';
import { useService } from '../../../support/service.js';
import { breachesOf } from '../export/support.js';

const client = useService({
  contentTypes: 'tests/api/documents/working-copies/content-types',
  plugins: { i18n: { config: { locales: ['en', 'de'] } } },
});

async function migrate(apply: boolean): Promise<readonly string[]> {
  const { database, registry } = client.service;
  const { found } = await migrateData({
    database,
    registry,
    declared: { collections: new Map(), attributes: new Map() },
    locale: 'en',
    drafts: undefined,
    apply,
    stopping: new AbortController().signal,
    problem: (line) => {
      throw new Error(line);
    },
    withProgress: async (_task, _total, run) => run(() => undefined),
  });
  return found.map(({ subject, text, entries }) => `${subject} ${text}: ${entries}`);
}

test('migrate lets copies and entries agree that a version without working copies has written', async () => {
  const { entries, database } = client.service;
  const articles = database.db.collection<Document & { _id: number }>('articles');
  const create = async (title: string): Promise<number> => {
    const id = await client.create('articles', { title, price: 1 });
    await entries.update('api::article.article', id, { title: `${title} prepared` }, { status: 'draft' });
    return id;
  };
  const [deleted, written, unpublished, untouched] = [
    await create('Deleted'),
    await create('Written'),
    await create('Unpublished'),
    await create('Untouched'),
  ];
  await articles.deleteOne({ _id: deleted });
  await articles.updateOne({ _id: written }, { $set: { price: 2 } });
  await articles.updateOne({ _id: unpublished }, { $unset: { publishedAt: '', _live: '' } });
  const left = await breachesOf(client.service);
  expect(left.length).toBeGreaterThanOrEqual(3);

  const found = await migrate(false);
  expect(found).toContain('api::article.article lose a working copy that was left: 1');
  expect(found).toContainEqual(
    expect.stringMatching(/^api::article\.article agree with their working copy again: \d+$/),
  );
  expect(await breachesOf(client.service)).toEqual(left);

  expect(await migrate(true)).toEqual(found);
  expect(await breachesOf(client.service)).toEqual([]);
  expect(await migrate(true)).toEqual([]);
  const latest = await entries.findMany('api::article.article', { status: 'draft', sort: 'id' });
  expect(latest.map(({ id, title, price }) => [id, title, price])).toEqual([
    [written, 'Written prepared', 2],
    [unpublished, 'Unpublished prepared', 1],
    [untouched, 'Untouched prepared', 1],
  ]);
  const live = await entries.findMany('api::article.article', { publicationState: 'live', sort: 'id' });
  expect(live.map(({ title }) => title)).toEqual(['Written', 'Untouched']);
});
