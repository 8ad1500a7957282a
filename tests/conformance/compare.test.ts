import { describe, expect, test } from '@jest/globals';
import { compare } from '../../scripts/conformance/compare.js';
import { differences } from '../../scripts/conformance/differences.js';

const error = (message: string, ...paths: readonly string[]) => ({
  data: null,
  error: {
    status: 400,
    name: 'ValidationError',
    message,
    details: { errors: paths.map((path) => ({ path: path.split('.'), message, name: 'ValidationError' })) },
  },
});

/** What a comparison says, in a word. */
function verdict(...answers: Parameters<typeof compare>): string {
  const { lenient, strict } = compare(...answers);
  return strict.length === 0 ? 'the same' : lenient.length === 0 ? 'the same but for the wording' : 'another';
}

describe('an answer', () => {
  test('is the same whatever the order of its keys, but not of its lists', () => {
    const expected = { status: 200, body: { data: [{ id: 1, name: 'a' }, { id: 2 }] } };
    expect(verdict(expected, { status: 200, body: { data: [{ name: 'a', id: 1 }, { id: 2 }] } })).toBe('the same');
    const turned = { status: 200, body: { data: [{ id: 2 }, { id: 1, name: 'a' }] } };
    expect(verdict(expected, turned)).toBe('another');
    expect(verdict(expected, turned, true)).toBe('the same');
  });

  test('with another status is another, even an error with the same content', () => {
    expect(verdict({ status: 400, body: error('no') }, { status: 404, body: error('no') })).toBe('another');
  });

  test('may word an error differently, but not name another attribute', () => {
    const expected = { status: 400, body: error('title is bad', 'title', 'seo.name') };
    const answer = (...paths: readonly string[]) => ({ status: 400, body: error('this cannot be', ...paths) });
    expect(verdict(expected, answer('seo.name', 'title', 'title'))).toBe('the same but for the wording');
    expect(verdict(expected, answer('title'))).toBe('another');
  });

  test('that is an error without details is not one with an empty list of them', () => {
    const bare = { status: 400, body: { data: null, error: { name: 'ValidationError', message: 'no', details: {} } } };
    expect(verdict(bare, { status: 400, body: error('no') })).toBe('another');
  });

  test('in text is as good as any other text when it is an error', () => {
    expect(verdict({ status: 405, body: 'Method Not Allowed' }, { status: 405, body: '' })).toBe(
      'the same but for the wording',
    );
    expect(verdict({ status: 200, body: 'yes' }, { status: 200, body: 'no' })).toBe('another');
  });

  test('of GraphQL has the same data and kinds of errors, in any order', () => {
    const graphql = (data: unknown, ...names: readonly string[]) => ({
      status: 200,
      body: { data, errors: names.map((name) => ({ message: name + data, extensions: { error: { name } } })) },
    });
    expect(verdict(graphql({ a: null }, 'A', 'B'), graphql({ a: null }, 'B', 'A'))).toBe(
      'the same but for the wording',
    );
    expect(verdict(graphql({ a: null }, 'A', 'B'), graphql({ a: null }, 'A'))).toBe('another');
    expect(verdict(graphql({ a: null }, 'A'), graphql({ a: 1 }, 'A'))).toBe('another');
    expect(verdict(graphql(null, 'A'), { status: 200, body: { data: null } })).toBe('another');
  });
});

describe('differences', () => {
  test('name the place and both values', () => {
    const expected = { data: [{ id: 1, tags: ['a', 'b'] }], meta: {} };
    const actual = { data: [{ id: '1', tags: ['a'] }], more: true };
    expect(differences(expected, actual)).toEqual([
      { at: '.data[0].id', expected: 1, actual: '1' },
      { at: '.data[0].tags.length', expected: 2, actual: 1 },
      { at: '.meta', expected: {}, actual: '(absent)' },
      { at: '.more', expected: '(absent)', actual: true },
    ]);
  });

  test('of null, a list and an object are found', () => {
    expect(
      [differences(null, {}), differences([], {}), differences({}, null), differences(0, null)].flat(),
    ).toHaveLength(4);
  });

  test('from <any> there are none, even where nothing is', () => {
    expect(differences({ id: '<any>', list: ['<any>'], gone: '<any>' }, { id: 7, list: [{}] })).toEqual([]);
  });

  test('between lists in no order are those of their elements, at every depth', () => {
    expect(differences([[1, 2], [3]], [[3], [2, 1]], true)).toEqual([]);
    expect(differences([1, 1, 2], [1, 2, 2], true)).not.toEqual([]);
  });
});
