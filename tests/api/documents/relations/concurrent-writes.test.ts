import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestService, type TestService } from '../../../../src/testing.js';
import { testUri } from '../../../support/commands.js';
import { scaled } from '../../../support/scaled.js';
import { corpus, useService } from '../../../support/service.js';
import { createMany, related } from './related.js';

const WRITERS = 8;
const ROUNDS = scaled(2, 8);

const client = useService();
let another: TestService;
beforeAll(async () => {
  const environment = { DATABASE_NAME: client.service.database.db.databaseName };
  another = await createTestService({
    contentTypes: corpus,
    mongodbUri: testUri('appName', 'another'),
    environment,
    plugins: { 'api-tokens': false },
  });
});
afterAll(() => another.close());

const article = 'api::article.article';
const card = 'api::seo-card.seo-card';
const author = 'api::author.author';

/** A write with which one of many takes the same entry. */
type Take = (
  target: number,
  taker: number,
) => readonly [type: string, id: number, data: Readonly<Record<string, unknown>>];

const oneToOne = { targets: 'seo-cards', other: 'article', takers: 'articles', own: 'seoCard' } as const;
const manyToOne = { targets: 'articles', other: 'author', takers: 'authors', own: 'articles' } as const;
const fromOwner: Take = (target, taker) => [article, taker, { seoCard: target }];
const fromOther: Take = (target, taker) => [card, target, { article: { connect: [taker] } }];
const fromList: Take = (target, taker) => [author, taker, { articles: { connect: [target] } }];
const fromMany: Take = (target, taker) => [article, target, { author: taker }];

test.each([
  ['of one to one', oneToOne, [fromOwner]],
  ['of one to one, from its other side', oneToOne, [fromOther]],
  ['of one to one, from both sides', oneToOne, [fromOwner, fromOther]],
  ['of one to many', manyToOne, [fromList]],
  ['of one to many, from its other side', manyToOne, [fromMany]],
  ['of one to many, from both sides', manyToOne, [fromList, fromMany]],
] as const)(
  'in a relation %s one of several concurrent writers gets the entry, within one process and across two',
  async (_, { targets, other, takers, own }, takes) => {
    const [target = 0] = await createMany(client, targets, 1, (index) => ({ title: `T ${index}`, headline: 'T' }));
    const all = await createMany(client, takers, WRITERS, (index) => ({ title: `T ${index}`, name: `T ${index}` }));
    const take = (index: number, service: TestService): Promise<unknown> => {
      const [type, id, data] = (takes[index % takes.length] as Take)(target, all[index] ?? 0);
      return service.entries.update(type, id, data);
    };
    const holders = async (): Promise<readonly number[]> => {
      const held = await Promise.all(all.map(async (id) => [id, await related(client, `/api/${takers}/${id}`, own)]));
      return held.flatMap(([id, value]) => ([value].flat().includes(target) ? [id as number] : []));
    };
    for (const services of [[client.service], [client.service, another]]) {
      for (let round = 0; round < ROUNDS; round += 1) {
        await Promise.all(all.map((__, index) => take(index, services[index % services.length] ?? another)));
        const [holder, ...more] = await holders();
        expect({ round, holder, more }).toEqual({ round, holder: expect.any(Number), more: [] });
        expect(await related(client, `/api/${targets}/${target}`, other)).toBe(holder);
      }
      // Alone the one that comes last has it, whichever process it comes to, and whoever had it.
      for (const [index, id] of all.entries()) {
        await take(index, services[(index + 1) % services.length] ?? another);
        expect(await holders()).toEqual([id]);
      }
    }
  },
);
