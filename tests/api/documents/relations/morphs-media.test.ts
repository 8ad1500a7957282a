import { beforeAll, describe, expect, test } from '@jest/globals';
import { useService } from '../../../support/service.js';
import { createMany, related } from './related.js';

const client = useService();
const { create, get, put, delete: remove } = client;
const subject = (type: string, id: number): object => ({ __type: `api::${type}.${type}`, id });
let products: readonly number[] = [];

beforeAll(async () => {
  products = await createMany(client, 'products', 2, (index) => ({ sku: `SKU-${index}`, name: 'Product' }));
});

const product = (index: number): number => products[index] ?? Number.NaN;
const subjectOf = async (id: number): Promise<unknown> =>
  (await get(`/api/comments/${id}?populate=subject`)).body.data.attributes.subject?.id ?? null;
const commentsOf = (index: number) => related(client, `/api/products/${product(index)}`, 'comments');

describe('a to-one morph relation', () => {
  test('refers to one entry, which lists it on its inverse side', async () => {
    const id = await create('comments', { text: 't', subject: subject('product', product(0)) });
    expect(await subjectOf(id)).toBe(product(0));
    expect(await commentsOf(0)).toEqual([id]);
    await put(`/api/comments/${id}`, { likes: 5 });
    expect(await commentsOf(0)).toEqual([id]);
    await put(`/api/comments/${id}`, { subject: subject('product', product(1)) });
    expect([await commentsOf(0), await commentsOf(1)]).toEqual([null, [id]]);
    await put(`/api/comments/${id}`, { subject: [] });
    expect(await subjectOf(id)).toBe(product(1));
    await put(`/api/comments/${id}`, { subject: [subject('product', product(0)), subject('product', product(1))] });
    expect(await subjectOf(id)).toBe(product(0));
    await put(`/api/comments/${id}`, { subject: { set: [subject('product', product(1))] } });
    expect(await subjectOf(id)).toBe(product(1));
    await put(`/api/comments/${id}`, { subject: null });
    expect([await subjectOf(id), await commentsOf(1)]).toEqual([null, null]);
  });

  test.each([
    ['an unknown type', { __type: 'api::nope.nope', id: 1 }],
    ['an entry that is not there', { __type: 'api::product.product', id: 999_999 }],
  ])('to %s is empty, as recorded from Strapi v4', async (_, written) => {
    const id = await create('comments', { text: 't', subject: written });
    expect(await subjectOf(id)).toBeNull();
  });

  test('can be replaced from the inverse side', async () => {
    const [first, second] = await createMany(client, 'comments', 2, () => ({ text: 't' }));
    await put(`/api/products/${product(0)}`, { comments: [first] });
    expect(await commentsOf(0)).toEqual([first]);
    await put(`/api/products/${product(0)}`, { comments: { connect: [second] } });
    expect(await commentsOf(0)).toEqual([first, second]);
    await put(`/api/products/${product(1)}`, { comments: { set: [second] } });
    expect([await commentsOf(0), await commentsOf(1)]).toEqual([[first], [second]]);
    await put(`/api/products/${product(0)}`, { comments: { disconnect: [first, second] } });
    expect([await commentsOf(0), await commentsOf(1)]).toEqual([null, [second]]);
    await put(`/api/products/${product(1)}`, { comments: [] });
    expect(await commentsOf(1)).toBeNull();
    await put(`/api/products/${product(1)}`, { comments: { connect: [second, { id: second }] } });
    expect(await commentsOf(1)).toEqual([second]);
    await put(`/api/products/${product(1)}`, { comments: null });
    expect([await commentsOf(1), await subjectOf(second ?? 0)]).toEqual([null, null]);
  });

  test('loses a deleted entry, but not one of another type with the same id', async () => {
    const gone = await create('products', { sku: 'GONE-1', name: 'Gone' });
    let article = 0;
    while (article < gone) article = await create('articles', { title: 'Same id' });
    const [first, second] = [
      await create('comments', { text: 't', subject: subject('product', gone) }),
      await create('comments', { text: 't', subject: subject('article', gone) }),
    ];
    await remove(`/api/products/${gone}`);
    expect([await subjectOf(first), await subjectOf(second)]).toEqual([null, gone]);
  });

  test("has a limit per parent on the inverse side, not shared with another type's entry of the same id", async () => {
    const last = await create('products', { sku: 'LAST-1', name: 'Last' });
    let article = 0;
    while (article < last) article = await create('articles', { title: 'Same id' });
    await create('comments', { text: 'not mine', subject: subject('article', last) });
    const mine = await create('comments', { text: 'mine', subject: subject('product', last) });
    const { body } = await get(
      `/api/products?filters[id]=${last}&populate[comments][limit]=1&populate[comments][sort]=id`,
    );
    expect(body.data[0].attributes.comments.data.map(({ id }: { id: number }) => id)).toEqual([mine]);
  });
});

describe('a to-many morph relation', () => {
  const itemsOf = async (id: number): Promise<unknown> =>
    (await get(`/api/bookmarks/${id}?populate=items`)).body.data.attributes.items?.map(
      (item: { __type: string; id: number }) => `${item.__type.split('.')[1]} ${item.id}`,
    );

  test('is replaced completely; an empty list is ignored, as recorded from Strapi v4', async () => {
    const tag = await create('tags', { name: 'Any' });
    const items = [subject('product', product(0)), subject('tag', tag)];
    const id = await create('bookmarks', { label: 'b', items });
    expect(await itemsOf(id)).toEqual([`product ${product(0)}`, `tag ${tag}`]);
    await put(`/api/bookmarks/${id}`, { items: items.toReversed() });
    expect(await itemsOf(id)).toEqual([`tag ${tag}`, `product ${product(0)}`]);
    await put(`/api/bookmarks/${id}`, { items: [subject('tag', tag)] });
    await put(`/api/bookmarks/${id}`, { items: [] });
    expect(await itemsOf(id)).toEqual([`tag ${tag}`]);
    await remove(`/api/tags/${tag}`);
    expect(await itemsOf(id)).toBeUndefined();
  });

  const twoItems = (): readonly object[] => products.map((id) => subject('product', id));

  test.each<readonly [string, () => unknown, () => unknown]>([
    ['null', () => null, () => undefined],
    ['an empty object', () => ({}), () => undefined],
    ['an empty set', () => ({ set: [] }), () => undefined],
    ['a set of null', () => ({ set: null }), () => undefined],
    ['a set', () => ({ set: twoItems().toReversed() }), () => [`product ${product(1)}`, `product ${product(0)}`]],
    ['a set of one that is not a list', () => ({ set: twoItems()[0] }), () => [`product ${product(0)}`]],
    ['one', () => twoItems()[1], () => [`product ${product(1)}`]],
    [
      'a list that names one twice: it is linked once',
      () => [...twoItems(), ...twoItems()],
      () => [`product ${product(0)}`, `product ${product(1)}`],
    ],
    ['one that is not there', () => [subject('product', 999_999)], () => undefined],
    ['an empty list, which has no effect', () => [], () => [`product ${product(0)}`, `product ${product(1)}`]],
  ])('is written by %s, in an update and in a create', async (_, items, expected) => {
    const id = await create('bookmarks', { label: 'b', items: twoItems() });
    expect((await put(`/api/bookmarks/${id}`, { items: items() })).status).toBe(200);
    expect(await itemsOf(id)).toEqual(expected());
    const other = await create('bookmarks', { label: 'b', items: items() });
    const isSaid = !Array.isArray(items()) || (items() as readonly unknown[]).length > 0;
    expect(await itemsOf(other)).toEqual(isSaid ? expected() : undefined);
  });

  test.each([['connect'], ['disconnect'], ['something']])('refuses %s and stays unchanged', async (key) => {
    const id = await create('bookmarks', { label: 'b', items: twoItems() });
    const { status, body } = await put(`/api/bookmarks/${id}`, { label: 'c', items: { [key]: twoItems() } });
    expect({ status, message: body.error.message }).toEqual({ status: 400, message: 'Invalid relations' });
    expect(await itemsOf(id)).toEqual([`product ${product(0)}`, `product ${product(1)}`]);
  });
});

describe('media', () => {
  const files: number[] = [];
  let article = 0;
  beforeAll(async () => {
    for (let index = 0; index < 4; index += 1) {
      const file = { name: `${index}.png`, hash: 'h', mime: 'image/png', size: 1, url: '/u', provider: 'local' };
      files.push((await client.service.entries.create('plugin::upload.file', file)).id);
    }
    article = await create('articles', { title: 'Media' });
  });
  const filled = (data: unknown): unknown =>
    JSON.parse(JSON.stringify(data), (_, value: unknown) =>
      typeof value === 'string' && /^[a-d]$/.test(value) ? files['abcd'.indexOf(value)] : value,
    );

  test.each([
    ['an id', 'a', 'a'],
    ['an object', { id: 'a' }, 'a'],
    ['a list', ['a'], 'a'],
    ['a set', { set: ['a'] }, 'a'],
    ['a list of two: the first counts', ['b', 'a'], 'b'],
    ['a set of two: the first counts', { set: ['b', 'a'] }, 'b'],
    ['null', null, null],
    ['connect, which clears, as recorded from Strapi v4', { connect: ['a'] }, null],
  ])('one file is %s', async (_, cover, expected) => {
    await put(`/api/articles/${article}`, { cover: filled('d') });
    await put(`/api/articles/${article}`, { cover: filled(cover) });
    expect(await related(client, `/api/articles/${article}`, 'cover')).toEqual(filled(expected));
  });

  test.each([
    ['a list, in its order', ['b', 'a'], ['b', 'a']],
    ['a list of objects', [{ id: 'b' }, { id: 'a' }], ['b', 'a']],
    ['one id', 'b', ['b']],
    ['a list that names one twice', ['b', 'b'], ['b']],
    ['a set', { set: ['c', 'a'] }, ['c', 'a']],
    ['an empty list, which is null in answers', [], null],
    ['null', null, null],
    ['connect, which clears, as recorded from Strapi v4', { connect: ['a'] }, null],
    ['disconnect, which clears as well', { disconnect: ['c'] }, null],
  ])('several files are %s', async (_, gallery, expected) => {
    await put(`/api/articles/${article}`, { gallery: filled(['c', 'd']) });
    await put(`/api/articles/${article}`, { gallery: filled(gallery) });
    expect(await related(client, `/api/articles/${article}`, 'gallery')).toEqual(filled(expected));
  });

  test('of a new entry accept connect', async () => {
    const written = filled({ cover: { connect: ['a'] }, gallery: { connect: ['b', 'c'] } }) as object;
    const id = await create('articles', { title: 'New', ...written });
    expect(await related(client, `/api/articles/${id}`, 'cover')).toEqual(filled('a'));
    expect(await related(client, `/api/articles/${id}`, 'gallery')).toEqual(filled(['b', 'c']));
  });

  test('of other fields stay when one field is written', async () => {
    await put(`/api/articles/${article}`, filled({ cover: 'a', gallery: ['b', 'c'] }));
    await put(`/api/articles/${article}`, filled({ cover: 'b' }));
    expect(await related(client, `/api/articles/${article}`, 'gallery')).toEqual(filled(['b', 'c']));
  });
});
