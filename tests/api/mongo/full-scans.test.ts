import { beforeAll, describe, expect, test } from '@jest/globals';
import { useService } from '../../support/service.js';

const client = useService({ environment: { NODE_ENV: 'development' } });

const ENTRIES = 60;
const naturally = { $natural: 1 };

const titleOf = (number: number): string => `${number % 3 === 0 ? 'Third' : 'Other'} ${number}`;

beforeAll(async () => {
  for (let number = 1; number <= ENTRIES; number++) {
    await client.create('articles', { title: titleOf(number), rating: 1 });
    await client.create('authors', { name: `Author ${number}` });
    await client.create('categories', { name: `Category ${number}` });
    const publishedAt = number > 40 ? new Date() : null;
    await client.create('pages', { title: `${number}`, path: `${number}`, hero: { label: 'x' }, publishedAt });
  }
});

/** The hints of the commands for the page and the total. */
async function hintsOf(path: string): Promise<readonly unknown[]> {
  const { body } = await client.get(`/api/${path}&explain=true`);
  const { main, count } = body.explain;
  return [main.command.hint, count.command.hint];
}

test.each([
  ['articles?sort=id', []],
  ['articles?sort=title', [naturally]],
  ['articles?filters[title][$contains]=Third', [undefined, naturally]],
  ['articles?filters[title][$contains]=Third&sort=title', [naturally, naturally]],
  ['articles?filters[slug]=third-3&sort=title', []],
  ['articles?_q=Third&locale=all', [undefined, naturally]],
  ['authors?filters[name][$contains]=1', [undefined, naturally]],
])('most entries are listed: %s scans the collection where the hints are %j', async (path, [page, total]) => {
  expect(await hintsOf(path)).toEqual([page, total]);
});

test('a sort through a relation scans the collection in a lookup, which takes no hint', async () => {
  const { body } = await client.get('/api/articles?sort[0]=author.name&sort[1]=id&pagination[pageSize]=3&explain=true');
  expect(body.data).toMatchObject([1, 2, 3].map((number) => ({ attributes: { title: titleOf(number) } })));
  expect(body.explain.main.command).not.toHaveProperty('hint');
  const { stages } = body.explain.main.plan;
  const lookup = (stages as readonly Readonly<Record<string, any>>[]).find((stage) => stage['$lookup']?.as === 'page');
  expect(lookup).toMatchObject({ indexesUsed: [] });
});

test('the index of lists is used where most entries are drafts', async () => {
  expect(await hintsOf('pages?filters[title][$contains]=1&sort=title')).toEqual([undefined, undefined]);
  expect(await hintsOf('pages?filters[title][$contains]=1&sort=title&publicationState=preview')).toEqual([
    naturally,
    naturally,
  ]);
});

test('an index of the operator may serve a query, so the database chooses', async () => {
  await client.service.database.db.collection('categories').createIndex({ name: 1 });
  expect(await hintsOf('categories?filters[name][$contains]=1')).toEqual([undefined, undefined]);
});

describe('a filter that no index serves', () => {
  const list = '/api/articles?fields[0]=title&filters[title][$contains]=Third';
  const expected = Array.from({ length: ENTRIES / 3 }, (_, index) => `Third ${3 * (index + 1)}`);

  test.each([
    [0, 5],
    [15, 5],
    [15, 10],
    [0, 100],
    [20, 5],
    [40, 5],
  ])('finds the entries from %i on, at most %i, and the total', async (start, limit) => {
    const { body } = await client.get(`${list}&pagination[start]=${start}&pagination[limit]=${limit}`);
    expect(titlesIn(body)).toEqual(expected.slice(start, start + limit));
    expect(body.meta.pagination).toEqual({ start, limit, total: expected.length });
  });
});

const titlesIn = ({ data }: { data: readonly { attributes: { title: string } }[] }): readonly string[] =>
  data.map(({ attributes: { title } }) => title);
