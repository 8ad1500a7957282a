import { beforeAll, describe, expect, test } from '@jest/globals';
import { commandsOf } from '../../support/commands.js';
import { useService } from '../../support/service.js';

/** Not checked: most articles are inserted past the service. */
const client = useService({}, { checked: false });

const ENTRIES = 5000;
const PAGE = 25;
/** The entries of which ids are cached at once, and those from which no ids are cached. */
const [STEP, MAX_IDS] = [250, 1000];
const AUTHORS = 7;
const byViews = 'sort[0]=views:desc&sort[1]=title';

beforeAll(async () => {
  for (let number = 1; number <= AUTHORS; number++) await client.create('authors', { name: `Author ${10 - number}` });
  await client.create('articles', { title: 'First', slug: 'first', views: 1, author: 1, seo: { metaTitle: 'First' } });
  const articles = client.service.database.db.collection<{ _id: number; seo: object }>('articles');
  const stored = await articles.findOne({ slug: 'first' });
  if (stored === null) throw new Error('the article was not created');
  const copies = Array.from({ length: ENTRIES - 1 }, (_, index) => {
    const [number, views] = [(index * 7919) % ENTRIES, (index * 31) % 97];
    const title = `Article ${number}`;
    const seo = { ...stored.seo, metaTitle: title };
    return { ...stored, _id: 10_000 + index, title, slug: `${number}`, views, author: 1 + (index % AUTHORS), seo };
  });
  await articles.insertMany(copies);
});

async function update(collection: string, id: number, data: object): Promise<void> {
  expect(await client.put(`/api/${collection}/${id}`, data)).toMatchObject({ status: 200 });
}

interface Read {
  readonly titles: readonly string[];
  readonly total: number | undefined;
  readonly commands: readonly string[];
}

async function read(sort: string, start: number, withCount = true): Promise<Read> {
  const slice = `pagination[start]=${start}&pagination[limit]=${PAGE}&pagination[withCount]=${withCount}`;
  let read: Omit<Read, 'commands'> | undefined;
  const commands = await commandsOf(client.service, async () => {
    const { body } = await client.get(`/api/articles?fields[0]=title&${sort}&${slice}`);
    const { data, meta } = body as { data: { attributes: { title: string } }[]; meta: Record<string, any> };
    read = { titles: data.map(({ attributes: { title } }) => title), total: meta['pagination'].total };
  });
  return { titles: [], total: undefined, ...read, commands };
}

/** Pages that are read concurrently, and the commands for them. */
async function readTogether(sort: string, starts: readonly number[]): Promise<readonly string[]> {
  return commandsOf(client.service, () =>
    Promise.all(
      starts.map((start) => client.get(`/api/articles?${sort}&pagination[start]=${start}&pagination[limit]=${PAGE}`)),
    ),
  );
}

/** The same page, sorted by the database: without a total, the order is not cached. */
const sorted = async (sort: string, start: number): Promise<readonly string[]> =>
  (await read(sort, start, false)).titles;

// These come first: a minute after the first scan another sample is taken, which takes commands too.

/** Articles have localizations, which are read with a page. */
const [ids, page, total] = ['find', 'aggregate', 'aggregate'];

test('entries are sorted once for ten pages, from the second read on', async () => {
  const commands = async (start: number) => (await read('sort=summary', start)).commands;
  await commands(0);
  await update('articles', 1, { publishedAt: null });
  await update('articles', 1, { publishedAt: new Date().toISOString() });
  expect(await commands(0)).toEqual(['versions', 'changes', page, total]);
  expect(await commands(0)).toEqual(['versions', ids, page]);
  expect(await commands(PAGE)).toEqual(['versions', page]);
  expect(await commands(STEP - PAGE)).toEqual(['versions', page]);
  expect(await commands(STEP)).toEqual(['versions', ids, page]);
  expect((await commands(MAX_IDS)).toSorted()).toEqual([page, 'versions']);
  expect(await commands(0)).toEqual(['versions', page]);
});

test('concurrent reads of several pages sort the entries once, and count them once', async () => {
  const starts = [0, PAGE, 2 * PAGE, 3 * PAGE];
  const count = (names: readonly string[], name: string) => names.filter((each) => each === name).length;
  await update('articles', 1, { publishedAt: null });
  await update('articles', 1, { publishedAt: new Date().toISOString() });
  // Where a read comes after the total of another one, it sorts the entries already in the first round.
  const [first, second] = [await readTogether('sort=airTime', starts), await readTogether('sort=airTime', starts)];
  expect(count(first, 'aggregate')).toBe(starts.length + 1);
  expect(count(second, 'aggregate')).toBe(starts.length);
  expect(count([...first, ...second], ids)).toBe(1);
});

test('after a write to another attribute the entries are not sorted again', async () => {
  for (let time = 0; time < 3; time++) await read(byViews, 0);
  await update('articles', 10_000, { body: 'New' });
  expect((await read(byViews, 0)).commands).toEqual(['versions', page]);
});

describe.each([
  ['sort=views'],
  ['sort[0]=views:desc&sort[1]=title'],
  ['sort=author.name'],
  ['sort[0]=author.name:desc&sort[1]=views'],
  ['sort=seo.metaTitle:desc'],
  ['sort=title&filters[views][$gte]=0'],
])('%s', (sort) => {
  test.each([0, PAGE, STEP - 5, STEP + 5, MAX_IDS - PAGE, MAX_IDS - 5, ENTRIES - 10, ENTRIES])(
    'lists the entries from %i on in the same order however often it is read',
    async (start) => {
      const titles = await sorted(sort, start);
      expect(titles).toHaveLength(Math.min(PAGE, ENTRIES - start));
      for (let time = 0; time < 3; time++) expect(await read(sort, start)).toMatchObject({ titles, total: ENTRIES });
    },
  );
});

describe('after a write', () => {
  const authors = 'sort[0]=author.name:desc&sort[1]=title';

  test.each([
    ['to an attribute of the sort', byViews, () => update('articles', 1, { views: 100 })],
    ['to a related entry', authors, () => update('authors', AUTHORS, { name: 'Zoe' })],
    ['that adds an entry', byViews, () => client.create('articles', { title: 'New', slug: 'new', views: 200 })],
    ['that unpublishes an entry', byViews, () => update('articles', 1, { publishedAt: null })],
    ['that publishes it again', byViews, () => update('articles', 1, { publishedAt: new Date().toISOString() })],
    ['that removes an entry', byViews, () => client.delete('/api/articles/1')],
  ])('%s the order is the new one', async (_, sort, write) => {
    for (let time = 0; time < 3; time++) await read(sort, 0);
    const before = await sorted(sort, 0);
    await write();
    const titles = await sorted(sort, 0);
    expect(titles).not.toEqual(before);
    for (let time = 0; time < 3; time++) expect(await read(sort, 0)).toMatchObject({ titles });
  });
});

test('a list whose entries were removed past the service is empty', async () => {
  await read('sort=title', 0);
  await client.service.database.db.collection('articles').deleteMany({});
  for (const sort of ['sort=body', 'sort=author.email']) expect((await read(sort, 0)).titles).toEqual([]);
});
