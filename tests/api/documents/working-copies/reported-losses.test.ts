/*
 * Situations in which users of other systems lost relations or values between a draft and what is published, or between
 * languages. Both sides of the relations have working copies.
 */
import { beforeEach, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { useService } from '../../../support/service.js';

const client = useService({
  contentTypes: 'tests/api/documents/working-copies/reported-types',
  plugins: { i18n: { config: { locales: ['en', 'de', 'fr'] } } },
});

type Values = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any

const page = (id: number, query = ''): string => `/api/pages/${id}${query}`;
const category = (id: number, query = ''): string => `/api/categories/${id}${query}`;

async function put(address: string, data: object = {}): Promise<void> {
  const { status, body } = await client.put(address, data);
  expect([address, status, body.error]).toEqual([address, 200, undefined]);
}
const save = (address: string, data: object): Promise<void> => put(`${address}?status=draft`, data);
const publish = (address: string, data: object = {}): Promise<void> => put(`${address}?status=published`, data);
const unpublish = (address: string): Promise<void> => put(address, { publishedAt: null });

async function valuesOf(address: string, state: 'draft' | 'published' = 'published'): Promise<Values> {
  const nested = '&populate[blocks][populate]=*&populate[seo][populate]=*&populate[parent]=*&populate[similar]=*';
  const others = '&populate[category]=*&populate[keywords]=*&populate[localizations]=*';
  const related = address.startsWith('/api/pages') ? `${nested}${others}` : '&populate=*';
  return (await client.get(`${address}?status=${state}${related}`)).body.data?.attributes ?? {};
}
/** The ids of related entries. */
const idsIn = (values: Values, name: string): readonly number[] =>
  [values[name].data ?? []].flat().map(({ id }: { id: number }) => id);
const related = async (address: string, name: string, state?: 'draft' | 'published'): Promise<readonly number[]> =>
  idsIn(await valuesOf(address, state), name);

async function translate(id: number, data: object): Promise<number> {
  const { status, body } = await request(client.service.url)
    .post(page(id, '/localizations'))
    .auth(client.service.token, { type: 'bearer' })
    .send(data);
  expect([status, body.error]).toEqual([200, undefined]);
  return body.id as number;
}

let red: number;
let blue: number;
beforeEach(async () => {
  for (const name of ['pages', 'categories'])
    for (const { id } of (await client.get(`/api/${name}?status=draft&locale=all`)).body.data)
      await client.delete(`/api/${name}/${id}`);
  red = await client.create('categories', { name: 'Red' });
  blue = await client.create('categories', { name: 'Blue' });
});

describe('between draft and published', () => {
  test('relations written through the API are in the preview, and a save changes none that is published', async () => {
    const id = await client.create('pages', { title: 'One', category: red, keywords: [red, blue] });
    expect(await related(page(id), 'keywords', 'draft')).toEqual([red, blue]);
    await save(page(id), { title: 'Two' });
    const state = async (which: 'draft' | 'published') => {
      const values = await valuesOf(page(id), which);
      return [values['title'], idsIn(values, 'category'), idsIn(values, 'keywords')];
    };
    expect(await state('draft')).toEqual(['Two', [red], [red, blue]]);
    await save(page(id), { category: blue, keywords: [blue] });
    expect(await state('published')).toEqual(['One', [red], [red, blue]]);
    await publish(page(id));
    expect(await state('published')).toEqual(['Two', [blue], [blue]]);
  });

  test.each([
    ['without copies', false],
    ['with copies', true],
  ])('a related entry that is unpublished and published again is related again: %s', async (_, copies) => {
    const id = await client.create('pages', { title: 'One', category: red, keywords: [red, blue] });
    if (copies) {
      await save(page(id), { title: 'Two' });
      await save(category(red), { name: 'Dark red' });
    }
    await unpublish(category(red));
    expect([await related(page(id), 'category'), await related(page(id), 'keywords')]).toEqual([[], [blue]]);
    expect(await related(page(id), 'keywords', 'draft')).toEqual([red, blue]);
    await publish(category(red));
    expect([await related(page(id), 'category'), await related(page(id), 'keywords')]).toEqual([[red], [red, blue]]);
    expect((await valuesOf(category(red)))['name']).toBe(copies ? 'Dark red' : 'Red');
    await publish(page(id));
    expect([await related(page(id), 'category'), await related(page(id), 'keywords')]).toEqual([[red], [red, blue]]);
  });

  test('relations stay whichever of their sides is saved and published first', async () => {
    const steps: Readonly<Record<string, (id: number) => Promise<void>>> = {
      'save the page': (id) => save(page(id), { title: 'Two' }),
      'publish the page': (id) => publish(page(id), { price: 2 }),
      'save the category': () => save(category(red), { name: 'Other' }),
      'unpublish the category': () => unpublish(category(red)),
    };
    for (const order of rotationsOf(Object.keys(steps))) {
      const id = await client.create('pages', { title: 'One', category: red, keywords: [blue, red] });
      for (const step of order) await steps[step]?.(id);
      for (const address of [page(id), category(red)]) await publish(address);
      const values = await valuesOf(page(id));
      expect([order, idsIn(values, 'category'), idsIn(values, 'keywords')]).toEqual([order, [red], [blue, red]]);
      expect(await related(category(red), 'pages')).toContain(id);
      await client.delete(page(id));
    }
  });

  test('discarding changes keeps relations to drafts', async () => {
    const { body } = await client.post('/api/categories?status=draft', { name: 'Draft' });
    const draft = body.data.id as number;
    const blocks = [{ __component: 'shared.teaser', categories: [draft, red] }];
    const id = await client.create('pages', { title: 'One', keywords: [red, draft], parent: null, blocks });
    expect(await related(page(id), 'keywords')).toEqual([red]);
    await save(page(id), { title: 'Two' });
    expect((await client.delete(page(id, '?status=draft'))).status).toBe(200);
    expect(await related(page(id), 'keywords', 'draft')).toEqual([red, draft]);
    await publish(category(draft));
    const values = await valuesOf(page(id));
    expect([values['title'], idsIn(values, 'keywords'), idsIn(values['blocks'][0], 'categories')]).toEqual([
      'One',
      [red, draft],
      [draft, red],
    ]);
  });

  test('publishing without naming a relation keeps it, also between entries of one type', async () => {
    const nested = await client.create('pages', { title: 'Nested' });
    const home = await client.create('pages', { title: 'Home', similar: [nested], keywords: [red], parent: nested });
    await save(page(nested), { title: 'Nested again' });
    await publish(page(nested));
    await save(page(home), { title: 'Home again' });
    await publish(page(home), { price: 3 });
    await put(page(home), { publishedAt: new Date() });
    const values = await valuesOf(page(home));
    expect([idsIn(values, 'similar'), idsIn(values, 'keywords'), idsIn(values, 'parent')]).toEqual([
      [nested],
      [red],
      [nested],
    ]);
    expect(values['similar'].data[0].attributes.title).toBe('Nested again');
  });

  test('an entry that is unpublished and published again has its relations on both sides', async () => {
    const id = await client.create('pages', { title: 'One', category: red, keywords: [blue, red] });
    await save(page(id), { title: 'Two', keywords: [red, blue] });
    await unpublish(page(id));
    expect(await related(category(red), 'pages')).toEqual([]);
    await publish(page(id));
    expect([await related(page(id), 'category'), await related(page(id), 'keywords')]).toEqual([[red], [red, blue]]);
    for (const name of ['pages', 'mentions']) expect(await related(category(red), name)).toEqual([id]);
  });

  test('an entry that becomes a draft stays in the list of the entry that has many of them', async () => {
    const [first, second] = [
      await client.create('pages', { title: 'First', category: red }),
      await client.create('pages', { title: 'Second', category: red }),
    ];
    await save(category(red), { name: 'Prepared' });
    await unpublish(page(second));
    expect(await related(category(red), 'pages')).toEqual([first]);
    expect(await related(category(red), 'pages', 'draft')).toEqual([first, second]);
    await publish(page(second));
    await publish(category(red));
    expect(await related(category(red), 'pages')).toEqual([first, second]);
  });

  test('an entry that is published before its targets, or relates to itself, keeps its relations', async () => {
    const draft = async (data: object): Promise<number> =>
      (await client.post('/api/pages?status=draft', data)).body.data.id as number;
    const [a, b, c] = [await draft({ title: 'A' }), await draft({ title: 'B' }), await draft({ title: 'C' })];
    const blocks = [{ __component: 'shared.teaser', text: 'teaser', page: c }];
    const data = { parent: b, similar: [a, c, b], blocks, seo: { page: a } };
    await publish(page(a), data);
    expect(await related(page(a), 'similar')).toEqual([a]);
    const operations = [b, c].map((id) => ({ update: 'pages', id, status: 'published', data: { parent: a } }));
    const batch = await request(client.service.url)
      .post('/api/batch')
      .auth(client.service.token, { type: 'bearer' })
      .send({ operations });
    expect(batch.status).toBe(200);
    await save(page(a), { title: 'A again' });
    await publish(page(a));
    const values = await valuesOf(page(a));
    expect([idsIn(values, 'parent'), idsIn(values, 'similar')]).toEqual([[b], [a, c, b]]);
    expect([idsIn(values['blocks'][0], 'page'), idsIn(values['seo'], 'page')]).toEqual([[c], [a]]);
    expect([await related(page(b), 'parent'), await related(page(c), 'parent')]).toEqual([[a], [a]]);
  });
});

describe('between languages', () => {
  let english: number;
  let german: number;
  beforeEach(async () => {
    const own = { category: red, keywords: [red], seo: { text: 'English', page: null, categories: [red] } };
    const blocks = [{ __component: 'shared.teaser', text: 'English', categories: [red] }];
    english = await client.create('pages', { title: 'English', price: 1, isRare: true, ...own, blocks });
    const seo = { text: 'Deutsch', categories: [blue] };
    german = await translate(english, {
      title: 'Deutsch',
      locale: 'de',
      publishedAt: new Date(),
      category: blue,
      keywords: [blue],
      seo,
      blocks: [{ __component: 'shared.teaser', ...seo }],
    });
  });
  const ownOf = async (id: number, state?: 'draft' | 'published') => {
    const values = await valuesOf(page(id), state);
    const { seo, blocks } = values;
    return {
      title: values['title'],
      address: values['address'],
      relations: [idsIn(values, 'category'), idsIn(values, 'keywords')],
      seo: [seo.text, idsIn(seo, 'categories')],
      blocks: blocks.map((block: Values) => [block['text'], idsIn(block, 'categories')]),
    };
  };
  const sharedOf = async (id: number, state?: 'draft' | 'published') => {
    const { price, isRare } = await valuesOf(page(id), state);
    return { price, isRare };
  };

  test('attributes of all kinds that a language has of its own are not written to another one', async () => {
    const before = await ownOf(german);
    const changed = {
      title: 'Changed',
      address: 'changed',
      category: blue,
      keywords: [],
      seo: { text: 'x' },
      blocks: [],
    };
    await save(page(english), { ...changed, price: 2 });
    await publish(page(english));
    expect(await ownOf(german)).toEqual(before);
    for (const id of [german, english]) expect(await sharedOf(id)).toEqual({ price: 2, isRare: true });
  });

  test('a new language has the shared values of the others, and its first save resets none of them', async () => {
    const french = await translate(english, { title: 'Français', locale: 'fr' });
    const expected = { price: 1, isRare: true };
    expect(await sharedOf(french, 'draft')).toEqual(expected);
    await save(page(french), { title: 'Bonjour' });
    await publish(page(french));
    for (const id of [english, german, french])
      for (const state of ['draft', 'published'] as const) expect(await sharedOf(id, state)).toEqual(expected);
  });

  test('a new language that gives a shared value gives it to the others, and to copies that do not change it', async () => {
    await save(page(german), { title: 'Geändert' });
    await save(page(english), { price: 4 });
    const french = await translate(english, { title: 'Français', locale: 'fr', price: 3, publishedAt: new Date() });
    for (const id of [english, german, french]) expect(await sharedOf(id)).toEqual({ price: 3, isRare: true });
    expect([(await sharedOf(german, 'draft')).price, (await sharedOf(english, 'draft')).price]).toEqual([3, 4]);
    expect((await ownOf(german, 'draft')).title).toBe('Geändert');
  });

  test('saving and publishing one language neither marks nor publishes another one', async () => {
    await save(page(german), { title: 'Geändert' });
    await save(page(english), { title: 'Changed' });
    const changes = async (): Promise<unknown> =>
      (await client.get('/api/pages?status=draft&locale=all')).body.meta.changes;
    expect(await changes()).toEqual({ [english]: ['title'], [german]: ['title'] });
    await publish(page(english));
    expect(await changes()).toEqual({ [german]: ['title'] });
    expect([(await ownOf(english)).title, (await ownOf(german)).title]).toEqual(['Changed', 'Deutsch']);
    await save(page(english), { price: 9 });
    expect(await changes()).toEqual({ [english]: ['price'], [german]: ['title'] });
    for (const id of [english, german]) expect(await sharedOf(id)).toEqual({ price: 1, isRare: true });
  });

  describe('of which one is a draft', () => {
    let french: number;
    beforeEach(async () => {
      french = await translate(english, { title: 'Français', locale: 'fr' });
    });
    const pricesOf = async (state: 'draft' | 'published'): Promise<readonly number[]> =>
      Promise.all([english, german].map(async (id) => (await sharedOf(id, state)).price));

    test('shared values of the draft wait until it is published', async () => {
      await save(page(french), { title: 'Bonjour', price: 5 });
      expect([await pricesOf('published'), await pricesOf('draft')]).toEqual([
        [1, 1],
        [1, 1],
      ]);
      expect(await sharedOf(french, 'draft')).toEqual({ price: 5, isRare: true });
      const { body } = await client.get(page(french, '?status=draft'));
      expect([body.data.attributes.title, body.meta.changes]).toEqual(['Bonjour', { [french]: ['price'] }]);
      // Others are written meanwhile.
      await put(page(german), { price: 2, isRare: false });
      await save(page(french), { title: 'Salut' });
      expect(await sharedOf(french, 'draft')).toEqual({ price: 5, isRare: false });
      await publish(page(french));
      expect(await pricesOf('published')).toEqual([5, 5]);
      expect(await valuesOf(page(french))).toMatchObject({ title: 'Salut', price: 5, isRare: false });
      expect((await client.get('/api/pages?status=draft&locale=all')).body.meta.changes).toBeUndefined();
    });

    test('what waits is dropped if it is saved as it is published, or discarded', async () => {
      await save(page(french), { price: 5, isRare: null });
      await save(page(french), { price: 1 });
      expect((await client.get(page(french, '?status=draft'))).body.meta.changes).toEqual({ [french]: ['isRare'] });
      expect((await client.delete(page(french, '?status=draft'))).status).toBe(200);
      expect(await sharedOf(french, 'draft')).toEqual({ price: 1, isRare: true });
      expect((await client.delete(page(french, '?status=draft'))).status).toBe(404);
    });

    test('an entry that is unpublished does not publish its shared values in other languages', async () => {
      await save(page(english), { title: 'Changed', price: 9 });
      await unpublish(page(english));
      expect([await pricesOf('published'), await pricesOf('draft')]).toEqual([
        [undefined, 1],
        [9, 1],
      ]);
      expect((await client.get(page(english))).body.data.attributes).toMatchObject({ title: 'Changed', price: 1 });
      await publish(page(english));
      expect(await pricesOf('published')).toEqual([9, 9]);
    });

    test('a new draft has the shared values that are published, or is refused', async () => {
      await client.delete(page(french));
      const localize = (data: object) =>
        request(client.service.url)
          .post(page(german, '/localizations?status=draft'))
          .auth(client.service.token, { type: 'bearer' })
          .send({ locale: 'fr', ...data });
      const refused = await localize({ price: 7 });
      expect([refused.status, refused.body.error.details.errors]).toMatchObject([400, [{ path: ['price'] }]]);
      expect((await localize({ price: 1 })).status).toBe(200);
      expect(await pricesOf('published')).toEqual([1, 1]);
    });

    test('writes of all languages at once leave one value in what is published', async () => {
      const writings = [english, german, french].flatMap((id, at): readonly (readonly [string, object])[] => [
        [page(id, '?status=draft'), { price: 10 + at, title: `saved ${at}` }],
        [page(id), { price: 20 + at }],
        [page(id, '?status=published'), {}],
        [page(id), { publishedAt: at === 1 ? null : new Date() }],
        [page(id, '?status=draft'), { isRare: at === 0 }],
      ]);
      const statuses = await Promise.all(
        writings.map(async ([address, data]) => (await client.put(address, data)).status),
      );
      expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
      for (const id of [german, english, french]) await publish(page(id));
      const published = await Promise.all([english, german, french].map((id) => sharedOf(id)));
      expect(published).toEqual(published.map(() => published[0]));
      expect((await client.get('/api/pages?status=draft&locale=all')).body.meta.changes).toBeUndefined();
    });

    test('drafts share values at once where nothing is published', async () => {
      for (const id of [english, german]) await unpublish(page(id));
      await save(page(french), { price: 8 });
      expect(await pricesOf('draft')).toEqual([8, 8]);
    });
  });

  test('components of one language stay when another one is published', async () => {
    const before = await ownOf(german);
    await save(page(english), {
      seo: { text: 'Updated' },
      blocks: [{ __component: 'shared.teaser', text: 'Updated' }],
    });
    await publish(page(english), { price: 6 });
    expect(await ownOf(german)).toEqual(before);
    await publish(page(german), {
      seo: { ...(await valuesOf(page(german)))['seo'], text: 'Neu', categories: undefined },
    });
    expect((await ownOf(english)).seo).toEqual(['Updated', []]);
  });

  test('relations in components survive any writes of shared values by another language', async () => {
    const before = [await ownOf(english), await ownOf(german)];
    for (const [id, price] of [
      [english, 2],
      [german, 3],
      [english, 4],
    ] as const) {
      await save(page(id), { price });
      await publish(page(id));
    }
    expect([await ownOf(english), await ownOf(german)]).toEqual(before);
    expect((await sharedOf(german)).price).toBe(4);
  });
});

/** The list begun at each of its elements, in both directions. */
const rotationsOf = <T>(list: readonly T[]): readonly (readonly T[])[] =>
  [list, list.toReversed()].flatMap((one) => list.map((_, at) => [...one.slice(at), ...one.slice(0, at)]));
