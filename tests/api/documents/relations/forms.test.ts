import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { useService } from '../../../support/service.js';
import { createMany, related } from './related.js';

const client = useService();
const { create, post, put } = client;
let ids: readonly number[] = [];
let article = 0;

/** The ids that a row names by letters: `a` is the first tag, or the first author. */
const idOf = (letter: string): number => ids['abcdef'.indexOf(letter)] ?? Number.NaN;
const idsOf = (letters: string): readonly number[] => [...letters].map(idOf);
/** Letters of a row's data as ids, at any depth. */
const filled = (data: unknown): unknown =>
  JSON.parse(JSON.stringify(data), (_, value: unknown) =>
    typeof value === 'string' && /^[a-f]$/.test(value) ? idOf(value) : value,
  );

type Row = readonly [form: string, written: unknown, expected: string];

describe('a to-many relation', () => {
  beforeAll(async () => {
    ids = await createMany(client, 'tags', 6, (index) => ({ name: `Tag ${index}` }));
    article = await create('articles', { title: 'Forms' });
  });
  beforeEach(async () => {
    await put(`/api/articles/${article}`, { tags: idsOf('abc') });
  });

  test.each<Row>([
    ['a list of ids', ['d', 'a'], 'da'],
    ['a list of objects', [{ id: 'd' }, { id: 'a' }], 'da'],
    ['both in one list', ['d', { id: 'a' }], 'da'],
    ['one id', 'd', 'd'],
    ['one object', { id: 'd' }, 'd'],
    ['null', null, ''],
    ['an empty list', [], ''],
    ['a set', { set: ['d', 'a'] }, 'da'],
    ['a set of objects', { set: [{ id: 'd' }, { id: 'a' }] }, 'da'],
    ['an empty set', { set: [] }, ''],
    ['a list that names one twice: the first counts', ['d', 'a', 'd'], 'da'],
    ['a set beside connect: it wins', { set: ['d'], connect: ['e'], disconnect: ['d'] }, 'd'],
  ])('is replaced by %s', async (_, tags, expected) => {
    expect((await put(`/api/articles/${article}`, { tags: filled(tags) })).status).toBe(200);
    expect(await related(client, `/api/articles/${article}`, 'tags')).toEqual(idsOf(expected));
  });

  test('is replaced by ids as strings', async () => {
    await put(`/api/articles/${article}`, { tags: idsOf('fe').map(String) });
    expect(await related(client, `/api/articles/${article}`, 'tags')).toEqual(idsOf('fe'));
  });

  test.each<Row>([
    ['an empty object', {}, 'abc'],
    ['an empty connect', { connect: [] }, 'abc'],
    ['a connect of null', { connect: null }, 'abc'],
    ['a set of null', { set: null }, 'abc'],
    ['a disconnect of an unlinked entry', { disconnect: ['f'] }, 'abc'],
    ['a disconnect of what does not exist', { disconnect: [999_999] }, 'abc'],
  ])('stays unchanged with %s', async (_, tags, expected) => {
    expect((await put(`/api/articles/${article}`, { tags: filled(tags) })).status).toBe(200);
    expect(await related(client, `/api/articles/${article}`, 'tags')).toEqual(idsOf(expected));
  });

  test.each<Row>([
    ['an id: it is added at the end', { connect: ['d'] }, 'abcd'],
    ['an object', { connect: [{ id: 'd' }] }, 'abcd'],
    ['several: one after the other', { connect: ['e', 'd'] }, 'abced'],
    ['one that is linked: it moves to the end', { connect: ['a'] }, 'bca'],
    ['one at the start', { connect: [{ id: 'd', position: { start: true } }] }, 'dabc'],
    ['one at the end', { connect: [{ id: 'd', position: { end: true } }] }, 'abcd'],
    ['one before another', { connect: [{ id: 'd', position: { before: 'b' } }] }, 'adbc'],
    ['one after another', { connect: [{ id: 'd', position: { after: 'b' } }] }, 'abdc'],
    ['one before the first', { connect: [{ id: 'd', position: { before: 'a' } }] }, 'dabc'],
    ['one after the last', { connect: [{ id: 'd', position: { after: 'c' } }] }, 'abcd'],
    ['a linked one before another', { connect: [{ id: 'c', position: { before: 'a' } }] }, 'cab'],
    ['a linked one after another', { connect: [{ id: 'a', position: { after: 'b' } }] }, 'bac'],
    [
      'one beside another that comes with it',
      {
        connect: [
          { id: 'd', position: { start: true } },
          { id: 'e', position: { after: 'd' } },
        ],
      },
      'deabc',
    ],
    ['one twice, written alike', { connect: ['d', 'd', { id: 'e' }, { id: 'e' }] }, 'abcde'],
    [
      'one beside another that comes later, which so comes first',
      { connect: [{ id: 'd', position: { before: 'f' } }, 'e', { id: 'f', position: { start: true } }] },
      'dfabce',
    ],
    [
      'a chain of these',
      { connect: [{ id: 'd', position: { after: 'e' } }, { id: 'e', position: { after: 'f' } }, 'f'] },
      'abcfed',
    ],
    [
      'one beside another that is linked, and moves later',
      { connect: [{ id: 'd', position: { before: 'b' } }, 'b'] },
      'adcb',
    ],
    [
      'linked ones beside each other',
      {
        connect: [
          { id: 'a', position: { after: 'b' } },
          { id: 'b', position: { after: 'a' } },
        ],
      },
      'abc',
    ],
    [
      'one beside another that goes and comes back',
      { connect: [{ id: 'd', position: { after: 'a' } }, 'a'], disconnect: ['a'] },
      'bcad',
    ],
    [
      'one at the end where the place beside another is not strict',
      { connect: [{ id: 'd', position: { before: 'f' } }], options: { strict: false } },
      'abcd',
    ],
    [
      'the same with one that is placed beside it',
      {
        connect: [
          { id: 'd', position: { before: 'e' } },
          { id: 'e', position: { after: 'f' } },
        ],
        options: { strict: false },
      },
      'abcde',
    ],
    ['one while another is disconnected', { connect: ['d'], disconnect: ['b'] }, 'acd'],
    ['one that is disconnected as well: it stays', { connect: ['b'], disconnect: ['b'] }, 'acb'],
  ])('connects %s', async (_, tags, expected) => {
    expect((await put(`/api/articles/${article}`, { tags: filled(tags) })).status).toBe(200);
    expect(await related(client, `/api/articles/${article}`, 'tags')).toEqual(idsOf(expected));
  });

  test.each<Row>([
    ['an id', { disconnect: ['b'] }, 'ac'],
    ['an object', { disconnect: [{ id: 'b' }] }, 'ac'],
    ['all', { disconnect: ['c', 'a', 'b'] }, ''],
  ])('disconnects %s', async (_, tags, expected) => {
    expect((await put(`/api/articles/${article}`, { tags: filled(tags) })).status).toBe(200);
    expect(await related(client, `/api/articles/${article}`, 'tags')).toEqual(idsOf(expected));
  });

  test.each<Row>([
    ['that is not linked', { connect: [{ id: 'd', position: { before: 'f' } }] }, 'f'],
    ['that is disconnected', { connect: [{ id: 'd', position: { before: 'b' } }], disconnect: ['b'] }, 'b'],
  ])('refuses a position relative to an entry %s', async (_, tags, neighbour) => {
    const { status, body } = await put(`/api/articles/${article}`, { title: 'Refused', tags: filled(tags) });
    expect(status).toBe(400);
    expect(body.error.message).toBe(
      `There was a problem connecting relation with id ${idOf('d')} at position {"before":${idOf(neighbour)}}. ` +
        `The relation with id ${idOf(neighbour)} needs to be connected first.`,
    );
    expect(await related(client, `/api/articles/${article}`, 'tags')).toEqual(idsOf('abc'));
  });

  test.each([
    ['itself', [{ id: 'd', position: { before: 'd' } }]],
    [
      'each other',
      [
        { id: 'd', position: { before: 'e' } },
        { id: 'e', position: { after: 'd' } },
      ],
    ],
  ])('refuses a position relative to %s', async (_, connect) => {
    const { status, body } = await put(`/api/articles/${article}`, { title: 'Refused', tags: filled({ connect }) });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ name: 'ValidationError', details: {} });
    expect(body.error.message).toMatch(/^A circular reference was found in the connect array\./);
    expect(await related(client, `/api/articles/${article}`, 'tags')).toEqual(idsOf('abc'));
  });

  test.each([
    ['an entry', ['d', { id: 'd' }]],
    ['one at two places', [{ id: 'd', position: { start: true } }, { id: 'd' }]],
  ])('refuses to connect %s twice, in an update and in a create', async (_, connect) => {
    const tags = filled({ connect });
    const answers = [
      await put(`/api/articles/${article}`, { title: 'Refused', tags }),
      await post('/api/articles', { title: 'Refused', tags }),
    ];
    const message = `The relation with id ${idOf('d')} is already connected. You cannot connect the same relation twice.`;
    for (const { status, body } of answers) {
      expect({ status, error: body.error }).toMatchObject({ status: 400, error: { message, details: {} } });
    }
    expect(await related(client, `/api/articles/${article}`, 'tags')).toEqual(idsOf('abc'));
  });

  test.each<Row>([
    ['connect', { connect: ['d', 'a'] }, 'da'],
    ['positions', { connect: ['d', { id: 'a', position: { before: 'd' } }] }, 'ad'],
    ['positions next to later entries', { connect: [{ id: 'a', position: { before: 'd' } }, 'e', 'd'] }, 'ade'],
    ['set', { set: ['d', 'a'] }, 'da'],
    ['disconnect, of which there is nothing', { disconnect: ['d'] }, ''],
  ])('of a new entry accepts %s', async (_, tags, expected) => {
    const id = await create('articles', { title: 'New', tags: filled(tags) });
    expect(await related(client, `/api/articles/${id}`, 'tags')).toEqual(idsOf(expected));
  });

  test('of a new entry refuses positions relative to entries that are not linked yet', async () => {
    const tags = { connect: [{ id: idOf('d'), position: { before: idOf('a') } }] };
    const { status, body } = await post('/api/articles', { title: 'New', tags });
    expect(status).toBe(400);
    expect(body.error.message).toBe(
      `There was a problem connecting relation with id ${idOf('d')} at position {"before":${idOf('a')}}. ` +
        `The relation with id ${idOf('a')} needs to be connected first.`,
    );
  });
});

describe('a to-one relation', () => {
  beforeAll(async () => {
    ids = await createMany(client, 'authors', 3, (index) => ({ name: `Author ${index}` }));
    article = await create('articles', { title: 'Forms' });
  });
  beforeEach(async () => {
    await put(`/api/articles/${article}`, { author: idOf('a') });
  });

  test.each<Row>([
    ['an id', 'b', 'b'],
    ['an object', { id: 'b' }, 'b'],
    ['a list', ['b'], 'b'],
    ['a list of an object', [{ id: 'b' }], 'b'],
    ['a list of two: the last counts', ['b', 'c'], 'c'],
    ['a set', { set: ['b'] }, 'b'],
    ['a set of two: the last counts', { set: ['b', 'c'] }, 'c'],
    ['connect', { connect: ['b'] }, 'b'],
    ['connect of an object', { connect: [{ id: 'b' }] }, 'b'],
    ['connect of two: the last counts', { connect: ['b', 'c'] }, 'c'],
    ['connect at a position, which means nothing', { connect: [{ id: 'b', position: { before: 'c' } }] }, 'b'],
    ['connect and disconnect', { connect: ['b'], disconnect: ['a'] }, 'b'],
    ['an object without an id, which has no effect', { name: 'x' }, 'a'],
    ['an empty object, which has no effect', {}, 'a'],
    ['a set of null, which has no effect', { set: null }, 'a'],
    ['disconnect of another', { disconnect: ['b'] }, 'a'],
    ['disconnect of the one', { disconnect: ['a'] }, ''],
    ['null', null, ''],
    ['an empty list', [], ''],
    ['an empty set', { set: [] }, ''],
  ])('accepts %s', async (_, author, expected) => {
    expect((await put(`/api/articles/${article}`, { author: filled(author) })).status).toBe(200);
    expect(await related(client, `/api/articles/${article}`, 'author')).toBe(expected === '' ? null : idOf(expected));
  });

  test.each<Row>([
    ['a list', ['b', 'c'], 'b'],
    ['a set', { set: ['c', 'b'] }, 'c'],
    ['connect', { connect: ['b', 'c'] }, 'b'],
  ])('of a new entry uses the first of two ids in %s', async (_, author, expected) => {
    const id = await create('articles', { title: 'New', author: filled(author) });
    expect(await related(client, `/api/articles/${id}`, 'author')).toBe(idOf(expected));
  });

  test('of a new entry ignores a position', async () => {
    const connect = [{ id: idOf('b'), position: { before: idOf('a') } }];
    const id = await create('articles', { title: 'New', author: { connect } });
    expect(await related(client, `/api/articles/${id}`, 'author')).toBe(idOf('b'));
  });

  test('accepts an id as a string', async () => {
    await put(`/api/articles/${article}`, { author: String(idOf('c')) });
    expect(await related(client, `/api/articles/${article}`, 'author')).toBe(idOf('c'));
  });
});
