import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import { createTestService, type TestService } from '../../../../src/testing.js';
import { testUri } from '../../../support/commands.js';
import { corpus, useService } from '../../../support/service.js';
import { scaled } from '../../../support/scaled.js';

const ROUNDS = scaled(8, 60);
const plugins = { i18n: { config: { locales: ['en', 'fr', 'de', 'es'] } } };
const client = useService({ plugins });
const { create } = client;
let another: TestService;
beforeAll(async () => {
  another = await createTestService({
    contentTypes: corpus,
    mongodbUri: testUri('appName', 'another'),
    environment: { DATABASE_NAME: client.service.database.db.databaseName },
    plugins: { ...plugins, 'api-tokens': false },
  });
});
afterAll(() => another.close());

const article = 'api::article.article';
const stored = async (ids: readonly number[]): Promise<readonly Document[]> =>
  client.service.database.db
    .collection<{ _id: number }>('articles')
    .find({ _id: { $in: [...ids] } }, { sort: { _id: 1 } })
    .toArray();

const localize = async (id: number, locale: string, data: object = {}, { entries } = client.service): Promise<number> =>
  (await entries.create(article, { title: locale, locale, localizations: [id], ...data })).id;

const pause = (turns: number): Promise<void> =>
  turns === 0 ? Promise.resolve() : new Promise((resolve) => setImmediate(() => void pause(turns - 1).then(resolve)));

describe.each([
  ['one process', () => [client.service, client.service] as const],
  ['two processes', () => [client.service, another] as const],
])('in %s', (_, services) => {
  test('no acknowledged change of a shared value is lost to a localization created concurrently', async () => {
    let lost = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const [first, second] = services();
      const id = await create('articles', { title: 'Source', views: 1 });
      const [other] = await Promise.all([
        localize(id, 'fr', {}, first),
        pause(round % 6).then(() => second.entries.update(article, id, { views: 777 })),
      ]);
      const views = (await stored([id, other])).map((one) => one['views'] as number);
      if (views.join() !== '777,777') lost += 1;
    }
    expect(lost).toBe(0);
  });

  test('concurrent changes of different shared values in different localizations are all kept', async () => {
    let lost = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const [first, second] = services();
      const id = await create('articles', { title: 'Source', views: 1, kind: 'news' });
      const other = await localize(id, 'fr');
      await Promise.all([
        first.entries.update(article, other, { views: 777 }),
        pause(round % 6).then(() => second.entries.update(article, id, { kind: 'review' })),
      ]);
      const values = (await stored([id, other])).map((one) => `${one['views']} ${one['kind']}`);
      if (values.join() !== '777 review,777 review') lost += 1;
    }
    expect(lost).toBe(0);
  });

  test('localizations created concurrently are linked to each other and share their values', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [first, second] = services();
      const id = await create('articles', { title: 'Source', views: 1 });
      const others = await Promise.all([
        localize(id, 'fr', {}, first),
        localize(id, 'de', { views: 9 }, second),
        localize(id, 'es', {}, first),
      ]);
      const all = [id, ...others].toSorted((a, b) => a - b);
      const group = await stored(all);
      expect(group.map(({ _id, localizations }) => [_id, ...localizations].toSorted((a, b) => a - b))).toEqual(
        all.map(() => all),
      );
      expect(group.map(({ views }) => views)).toEqual(all.map(() => 9));
    }
  });
});
