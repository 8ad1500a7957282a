import { beforeAll, describe, expect, test } from '@jest/globals';
import { commandsOf } from '../../support/commands.js';
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

  test('is scanned once, for the total and the page', async () => {
    const page = (number: number) => {
      const path = `/api/authors?filters[name][$contains]=2&pagination[page]=${number}&pagination[pageSize]=8`;
      return commandsOf(client.service, () => client.get(path));
    };
    expect(await page(1)).toEqual(['versions', 'aggregate', 'find']);
    // The total is cached: the first page is found early in the order of the ids, the last one is not.
    expect(await page(1)).toEqual(['versions', 'find']);
    expect(await page(2)).toEqual(['versions', 'aggregate', 'find']);
    expect(await page(3)).toEqual(['versions']);
  });

  test('is not read again if nothing matches, until an entry is written', async () => {
    const path = '/api/articles?_q=nowhere';
    const totals: number[] = [];
    const read = () =>
      commandsOf(client.service, async () => totals.push((await client.get(path)).body.meta.pagination.total));
    expect(await read()).toEqual(['versions', 'aggregate']);
    expect(await read()).toEqual(['versions']);
    await client.create('articles', { title: 'From nowhere' });
    expect(await read()).toContain('aggregate');
    expect(totals).toEqual([0, 0, 1]);
  });
});

const titlesIn = ({ data }: { data: readonly { attributes: { title: string } }[] }): readonly string[] =>
  data.map(({ attributes: { title } }) => title);
