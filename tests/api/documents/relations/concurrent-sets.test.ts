import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestService, type TestService } from '../../../../src/testing.js';
import { testUri } from '../../../support/commands.js';
import { corpus, useService } from '../../../support/service.js';
import { createMany, related } from './related.js';
import { scaled } from '../../../support/scaled.js';

const ROUNDS = scaled(5, 40);
const client = useService();
let another: TestService;
beforeAll(async () => {
  another = await createTestService({
    contentTypes: corpus,
    mongodbUri: testUri('appName', 'another'),
    environment: { DATABASE_NAME: client.service.database.db.databaseName },
    plugins: { 'api-tokens': false },
  });
});
afterAll(() => another.close());

let count = 0;
const pause = (turns: number): Promise<void> =>
  turns === 0 ? Promise.resolve() : new Promise((resolve) => setImmediate(() => void pause(turns - 1).then(resolve)));

interface Side {
  readonly type: string;
  readonly path: string;
  readonly name: string;
  readonly data: (index: number) => object;
  /** The entries to which it links. */
  readonly owners: string;
  readonly owner: (index: number) => object;
}

const title = (index: number): object => ({ title: `Article ${index}` });
const lists: readonly (readonly [string, Side])[] = [
  [
    'of one to many',
    {
      type: 'api::author.author',
      path: 'authors',
      name: 'articles',
      data: (index: number) => ({ name: `Author ${index}` }),
      owners: 'articles',
      owner: title,
    },
  ],
  [
    'of many to many',
    {
      type: 'api::tag.tag',
      path: 'tags',
      name: 'articles',
      data: (index: number) => ({ name: `Tag ${index}` }),
      owners: 'articles',
      owner: title,
    },
  ],
];

describe.each([
  ['one process', () => [client.service, client.service] as const],
  ['two processes', () => [client.service, another] as const],
])('in %s', (_, services) => {
  test.each(lists)('of two concurrent sets of a relation %s one remains complete', async (__, side) => {
    const [a = 0, b = 0, c = 0, d = 0] = await createMany(client, side.owners, 4, side.owner);
    const mixed: unknown[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const [first, second] = services();
      const id = await client.create(side.path, side.data((count += 1)));
      await client.put(`/api/${side.path}/${id}`, { [side.name]: [d] });
      await Promise.all([
        first.entries.update(side.type, id, { [side.name]: [a, b] }),
        pause(round % 6).then(() => second.entries.update(side.type, id, { [side.name]: [b, c] })),
      ]);
      const held = (await related(client, `/api/${side.path}/${id}`, side.name)) as readonly number[];
      if (![`${a},${b}`, `${b},${c}`].includes(held.toSorted((one, other) => one - other).join())) mixed.push(held);
    }
    expect(mixed).toEqual([]);
  });

  test.each(lists)(
    'a connect concurrent with a set of a relation %s is applied after or before it',
    async (__, side) => {
      const [a = 0, b = 0] = await createMany(client, side.owners, 2, side.owner);
      for (let round = 0; round < ROUNDS; round += 1) {
        const [first, second] = services();
        const id = await client.create(side.path, side.data((count += 1)));
        await Promise.all([
          first.entries.update(side.type, id, { [side.name]: [a] }),
          second.entries.update(side.type, id, { [side.name]: { connect: [{ id: b, position: { start: true } }] } }),
        ]);
        const held = (await related(client, `/api/${side.path}/${id}`, side.name)) as readonly number[];
        expect([[a], [b, a], [a, b]]).toContainEqual(held);
      }
    },
  );

  test('of two concurrent sets from the inverse side of a morph relation one remains complete', async () => {
    const [a = 0, b = 0, c = 0] = await createMany(client, 'comments', 3, (index) => ({ text: `Comment ${index}` }));
    const mixed: unknown[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const [first, second] = services();
      const id = await client.create('products', { name: 'Product', sku: `sku-${(count += 1)}` });
      await Promise.all([
        first.entries.update('api::product.product', id, { comments: [a, b] }),
        pause(round % 6).then(() => second.entries.update('api::product.product', id, { comments: [b, c] })),
      ]);
      const held = (await related(client, `/api/products/${id}`, 'comments')) as readonly number[];
      if (![`${a},${b}`, `${b},${c}`].includes(held.toSorted((one, other) => one - other).join())) mixed.push(held);
    }
    expect(mixed).toEqual([]);
  });
});
