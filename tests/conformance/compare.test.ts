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

/** The result of a comparison, in a word. */
function verdict(...answers: Parameters<typeof compare>): string {
  const { lenient, strict } = compare(...answers);
  return strict.length === 0 ? 'the same' : lenient.length === 0 ? 'the same but for the wording' : 'another';
}

describe('a response', () => {
  test('is equal in any order of keys, but not of list elements', () => {
    const expected = { status: 200, body: { data: [{ id: 1, name: 'a' }, { id: 2 }] } };
    expect(verdict(expected, { status: 200, body: { data: [{ name: 'a', id: 1 }, { id: 2 }] } })).toBe('the same');
    const turned = { status: 200, body: { data: [{ id: 2 }, { id: 1, name: 'a' }] } };
    expect(verdict(expected, turned)).toBe('another');
    expect(verdict(expected, turned, true)).toBe('the same');
  });

  test('with a different status is different, even an error with the same content', () => {
    expect(verdict({ status: 400, body: error('no') }, { status: 404, body: error('no') })).toBe('another');
  });

  test('can have a different error message, but not another attribute', () => {
    const expected = { status: 400, body: error('title is bad', 'title', 'seo.name') };
    const answer = (...paths: readonly string[]) => ({ status: 400, body: error('this cannot be', ...paths) });
    expect(verdict(expected, answer('seo.name', 'title', 'title'))).toBe('the same but for the wording');
    expect(verdict(expected, answer('title'))).toBe('another');
  });

  test('that is an error without details differs from one with an empty list', () => {
    const bare = { status: 400, body: { data: null, error: { name: 'ValidationError', message: 'no', details: {} } } };
    expect(verdict(bare, { status: 400, body: error('no') })).toBe('another');
  });

  test('that is an error in text equals any other text', () => {
    expect(verdict({ status: 405, body: 'Method Not Allowed' }, { status: 405, body: '' })).toBe(
      'the same but for the wording',
    );
    expect(verdict({ status: 200, body: 'yes' }, { status: 200, body: 'no' })).toBe('another');
  });

  test('over GraphQL is equal with the same data and error codes in any order', () => {
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
  test('have a path and both values', () => {
    const expected = { data: [{ id: 1, tags: ['a', 'b'] }], meta: {} };
    const actual = { data: [{ id: '1', tags: ['a'] }], more: true };
    expect(differences(expected, actual)).toEqual([
      { at: '.data[0].id', expected: 1, actual: '1' },
      { at: '.data[0].tags.length', expected: 2, actual: 1 },
      { at: '.meta', expected: {}, actual: '(absent)' },
      { at: '.more', expected: '(absent)', actual: true },
    ]);
  });

  test('between null, a list and an object are found', () => {
    expect(
      [differences(null, {}), differences([], {}), differences({}, null), differences(0, null)].flat(),
    ).toHaveLength(4);
  });

  test('from <any> do not exist, even for missing values', () => {
    expect(differences({ id: '<any>', list: ['<any>'], gone: '<any>' }, { id: 7, list: [{}] })).toEqual([]);
  });

  test('between unordered lists are those of their elements, at every depth', () => {
    expect(differences([[1, 2], [3]], [[3], [2, 1]], true)).toEqual([]);
    expect(differences([1, 1, 2], [1, 2, 2], true)).not.toEqual([]);
  });
});
