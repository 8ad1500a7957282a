import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { useService } from '../../../support/service.js';
import { createMany, related } from './related.js';

const client = useService();
const { create, put, delete: remove } = client;
let articles: readonly number[] = [];
let names = 0;
/** The names of tags are unique. */
const name = (): string => `Name ${(names += 1)}`;

/** The ids of articles by letters, in this order. */
const idOf = (letter: string): number => articles['abcdef'.indexOf(letter)] ?? Number.NaN;
const idsOf = (letters: string): readonly number[] => [...letters].map(idOf);
const filled = (data: unknown): unknown =>
  JSON.parse(JSON.stringify(data), (_, value: unknown) =>
    typeof value === 'string' && /^[a-f]$/.test(value) ? idOf(value) : value,
  );

beforeAll(async () => {
  articles = await createMany(client, 'articles', 6, (index) => ({ title: `Article ${index}` }));
});

type Row = readonly [form: string, written: unknown, expected: string];

/** The accepted input of a list, for both sides of the relation. */
const rows: readonly Row[] = [
  ['a list', ['d', 'a'], 'da'],
  ['a list of objects', [{ id: 'd' }, { id: 'a' }], 'da'],
  ['the same list in another order', ['c', 'a', 'b'], 'cab'],
  ['a set', { set: ['d', 'c'] }, 'dc'],
  ['null', null, ''],
  ['an empty list', [], ''],
  ['one id', 'e', 'e'],
  ['an empty object', {}, 'abc'],
  ['connect', { connect: ['d'] }, 'abcd'],
  ['connect of a linked entry: it moves to the end', { connect: ['a'] }, 'bca'],
  ['connect of several', { connect: ['e', 'd'] }, 'abced'],
  ['one at the start', { connect: [{ id: 'd', position: { start: true } }] }, 'dabc'],
  ['two at the start', { connect: ['d', 'e'].map((id) => ({ id, position: { start: true } })) }, 'edabc'],
  ['one before another', { connect: [{ id: 'd', position: { before: 'b' } }] }, 'adbc'],
  ['two before another', { connect: ['d', 'e'].map((id) => ({ id, position: { before: 'b' } })) }, 'adebc'],
  ['one after another', { connect: [{ id: 'd', position: { after: 'b' } }] }, 'abdc'],
  ['two after another', { connect: ['d', 'e'].map((id) => ({ id, position: { after: 'b' } })) }, 'abedc'],
  ['a linked one before another', { connect: [{ id: 'c', position: { before: 'a' } }] }, 'cab'],
  ['a linked one after another', { connect: [{ id: 'a', position: { after: 'c' } }] }, 'bca'],
  ['one next to another new one', { connect: ['d', { id: 'e', position: { before: 'd' } }] }, 'abced'],
  [
    'one beside another that comes later, which so comes first',
    { connect: [{ id: 'd', position: { before: 'f' } }, 'e', { id: 'f', position: { start: true } }] },
    'dfabce',
  ],
  [
    'one beside another that goes and comes back',
    { connect: [{ id: 'd', position: { after: 'a' } }, 'a'], disconnect: ['a'] },
    'bcad',
  ],
  [
    'one at the end where its place is not strict',
    { connect: [{ id: 'd', position: { after: 'f' } }], options: { strict: false } },
    'abcd',
  ],
  ['disconnect', { disconnect: ['b'] }, 'ac'],
  ['disconnect of an unlinked entry', { disconnect: ['f'] }, 'abc'],
  ['both', { connect: ['d'], disconnect: ['a'] }, 'bcd'],
  ['a place beside one that goes', { connect: [{ id: 'd', position: { after: 'b' } }], disconnect: ['a'] }, 'bdc'],
];

describe.each([
  ['tags', 'tags'],
  ['authors', 'author'],
])('the articles of %s, the inverse side,', (collection, owner) => {
  let id = 0;
  beforeEach(async () => {
    id = await create(collection, { name: name(), articles: idsOf('abc') });
  });

  test.each(rows)('accept %s', async (_, written, expected) => {
    expect((await put(`/api/${collection}/${id}`, { articles: filled(written) })).status).toBe(200);
    expect(await related(client, `/api/${collection}/${id}`, 'articles')).toEqual(idsOf(expected));
    const { body } = await client.get(`/api/articles?filters[${owner}][id]=${id}&fields[0]=id&sort=id`);
    expect(body.data.map((one: { id: number }) => one.id)).toEqual(idsOf([...expected].toSorted().join('')));
  });

  test('accept positions in a create', async () => {
    const connect = filled(['d', { id: 'e', position: { start: true } }, { id: 'f', position: { after: 'e' } }]);
    const other = await create(collection, { name: name(), articles: { connect } });
    expect(await related(client, `/api/${collection}/${other}`, 'articles')).toEqual(idsOf('efd'));
  });

  test.each<Row>([
    ['not among them', { connect: [{ id: 'd', position: { before: 'f' } }] }, 'f'],
    ['to go', { connect: [{ id: 'd', position: { before: 'b' } }], disconnect: ['b'] }, 'b'],
  ])('refuse a position relative to an entry that is %s, and stay unchanged', async (_, written, neighbour) => {
    const { status, body } = await put(`/api/${collection}/${id}`, { name: 'Refused', articles: filled(written) });
    expect(status).toBe(400);
    expect(body.error.message).toBe(
      `There was a problem connecting relation with id ${idOf('d')} at position {"before":${idOf(neighbour)}}. ` +
        `The relation with id ${idOf(neighbour)} needs to be connected first.`,
    );
    expect(await related(client, `/api/${collection}/${id}`, 'articles')).toEqual(idsOf('abc'));
    expect((await client.get(`/api/${collection}/${id}`)).body.data.attributes.name).not.toBe('Refused');
  });

  test.each([
    ['beside itself', [{ id: 'd', position: { before: 'd' } }], 'A circular reference was found'],
    ['twice', ['d', { id: 'd' }], 'You cannot connect the same relation twice.'],
  ])('refuse an entry %s, and stay unchanged', async (_, connect, message) => {
    const { status, body } = await put(`/api/${collection}/${id}`, { articles: filled({ connect }) });
    expect(status).toBe(400);
    expect(body.error.message).toContain(message);
    expect(await related(client, `/api/${collection}/${id}`, 'articles')).toEqual(idsOf('abc'));
  });

  test('keep their order when an article is updated from its own side', async () => {
    const other = await create(collection, { name: name() });
    await put(`/api/articles/${idOf('b')}`, { [owner]: [id, ...(owner === 'tags' ? [other] : [])] });
    await put(`/api/articles/${idOf('a')}`, { title: 'Changed', [owner]: id });
    expect(await related(client, `/api/${collection}/${id}`, 'articles')).toEqual(idsOf('abc'));
  });

  test('append an article that is linked from its own side', async () => {
    await put(`/api/articles/${idOf('d')}`, { [owner]: id });
    expect(await related(client, `/api/${collection}/${id}`, 'articles')).toEqual(idsOf('abcd'));
  });

  test('append an article that was unlinked and linked again', async () => {
    await put(`/api/articles/${idOf('a')}`, { [owner]: null });
    await put(`/api/articles/${idOf('a')}`, { [owner]: id });
    expect(await related(client, `/api/${collection}/${id}`, 'articles')).toEqual(idsOf('bca'));
  });

  test('lose a deleted article', async () => {
    const gone = await create('articles', { title: 'Gone', [owner]: id });
    expect(await related(client, `/api/${collection}/${id}`, 'articles')).toEqual([...idsOf('abc'), gone]);
    await remove(`/api/articles/${gone}`);
    expect(await related(client, `/api/${collection}/${id}`, 'articles')).toEqual(idsOf('abc'));
    await remove(`/api/${collection}/${id}`);
    expect([await related(client, `/api/articles/${idOf('a')}`, owner)].flat()).not.toContain(id);
  });
});

test('each side of a many-to-many relation has its own order', async () => {
  const [first, second] = await createMany(client, 'tags', 2, (index) => ({ name: `Own ${index}` }));
  await put(`/api/articles/${idOf('a')}`, { tags: [second, first] });
  await put(`/api/articles/${idOf('b')}`, { tags: [first, second] });
  await put(`/api/tags/${first}`, { articles: idsOf('ba') });
  expect(await related(client, `/api/articles/${idOf('a')}`, 'tags')).toEqual([second, first]);
  expect(await related(client, `/api/tags/${first}`, 'articles')).toEqual(idsOf('ba'));
  expect(await related(client, `/api/tags/${second}`, 'articles')).toEqual(idsOf('ab'));
  await put(`/api/articles/${idOf('a')}`, { tags: { connect: [{ id: first, position: { start: true } }] } });
  expect(await related(client, `/api/articles/${idOf('a')}`, 'tags')).toEqual([first, second]);
  expect(await related(client, `/api/tags/${first}`, 'articles')).toEqual(idsOf('ba'));
});

test('60 entries can be inserted one after the other at the same position', async () => {
  const many = await createMany(client, 'articles', 60, (index) => ({ title: `Crowd ${index}` }));
  const [first = 0, last = 0, ...others] = many;
  const tag = await create('tags', { name: 'Crowd', articles: [first, last] });
  for (const id of others)
    await put(`/api/tags/${tag}`, { articles: { connect: [{ id, position: { after: first } }] } });
  expect(await related(client, `/api/tags/${tag}`, 'articles')).toEqual([first, ...others.toReversed(), last]);
});
