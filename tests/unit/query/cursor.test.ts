import { describe, expect, test } from '@jest/globals';
import fc from '../../support/fast-check.js';
import { AppError } from '../../../src/errors/app-error.js';
import type { SortKey } from '../../../src/query/ast.js';
import { parseCursor, writeCursor } from '../../../src/query/parse/cursor.js';
import { parseSort } from '../../../src/query/parse/parse-sort.js';
import { loadCorpus, typeOf } from '../../support/golden.js';

const product = loadCorpus().then((registry) => typeOf(registry, 'product'));
const sortBy = async (words: string): Promise<readonly SortKey[]> =>
  parseSort(words, (await product).attributes, 'client');

describe('a cursor', () => {
  test.each([
    ['name', 'Ünïcode "$gt"'],
    ['price', 2.5],
    ['stock', -3],
    ['serial', 9_007_199_254_740_993n],
    ['available', false],
    ['releasedOn', '2024-02-29'],
    ['opensAt', '09:30:00.001'],
    ['restockAt', new Date('1969-12-31T23:59:59.999Z')],
    ['attrs', '{"a":[1]}'],
    ['id', 12],
    ['name', null],
  ])('of %s decodes to its value', async (key, value) => {
    const sort = await sortBy(`${key}:desc`);
    expect(parseCursor(writeCursor([value, 7], sort), sort)).toStrictEqual([value, 7]);
  });

  test('from a client is refused or contains plain values of the keys', async () => {
    const sort = await sortBy('name,serial:desc,restockAt,id');
    const parts = fc.array(fc.oneof(fc.constant('name,serial:desc,restockAt,id'), fc.jsonValue()), { maxLength: 7 });
    const near = parts.map((list) => Buffer.from(JSON.stringify(list)).toString('base64url'));
    fc.assert(
      fc.property(fc.oneof(near, fc.string(), fc.base64String(), fc.jsonValue()), (input) => {
        try {
          for (const value of parseCursor(input, sort)) expect(Object(value) === value).toBe(value instanceof Date);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      }),
    );
  });

  test('that is too long for a URL is refused when it is written', async () => {
    const sort = await sortBy('name');
    expect(() => writeCursor(['x'.repeat(3000), 7], sort)).toThrow(
      'The query asks for too much: at most 4000 characters in a cursor; sort by shorter values',
    );
  });
});
