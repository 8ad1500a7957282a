import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import fc from '../../../support/fast-check.js';
import { BSON, Binary, Decimal128, Int32, Long, ObjectId, Timestamp } from 'mongodb';
import { readBson } from '../../../../src/mongo/read/read-bson.js';

const bytesOf = (document: object): Buffer => Buffer.from(BSON.serialize(document));

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    fc.double(),
    fc.bigInt({ min: -(2n ** 53n) + 1n, max: 2n ** 53n - 1n }).map((integer) => Long.fromBigInt(integer)),
    fc.date(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 20 }),
    tie('document'),
  ),
  // As MongoDB has them, names hold no NUL; `__proto__` and names with `$` are among them.
  document: fc.dictionary(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }).map((name) => name.replaceAll('\0', '')),
      fc.constantFrom('__proto__', '$ref', '$id', 'constructor', 'title', 'Aa', 'BB'),
    ),
    tie('any'),
    { maxKeys: 12 },
  ),
})).document;

describe('BSON from the database', () => {
  test('is read like by the driver for random documents', () => {
    fc.assert(
      fc.property(value, (document) => {
        const bytes = bytesOf(document);
        expect(isDeepStrictEqual(readBson(bytes), BSON.deserialize(bytes))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['an object id', new ObjectId('65d0c0ffee65d0c0ffee65d0')],
    ['bytes', new Binary(Buffer.from('bytes'))],
    ['a decimal', Decimal128.fromString('1.5')],
    ['a timestamp', new Timestamp({ t: 1, i: 2 })],
    ['a pattern', /a+/i],
    ['an integer beyond 2^53', Long.fromBigInt(2n ** 62n + 1n)],
    ['a reference of another collection', { $ref: 'tags', $id: 1 }],
    ['the character for what cannot be read', 'a \uFFFD b'],
    ['a character of four bytes', '🦊'],
    ['a number', new Int32(7)],
  ])('is read like by the driver with %s', (_, held) => {
    const bytes = bytesOf({ before: 1, held, list: [held] });
    expect(readBson(bytes)).toStrictEqual(BSON.deserialize(bytes));
  });

  test('keeps names apart that share a cache slot', () => {
    const names = Array.from({ length: 2000 }, (_, index) => `name${index}`);
    const bytes = bytesOf({ list: [1, 2].map((of) => Object.fromEntries(names.map((name) => [name, name + of]))) });
    expect(readBson(bytes)).toStrictEqual(BSON.deserialize(bytes));
  });

  test('can contain timestamps outside the range of JavaScript', () => {
    const bytes = bytesOf({ at: Long.fromBigInt(2n ** 61n) });
    bytes[4] = 0x09;
    expect(String(readBson(bytes)['at'])).toBe('Invalid Date');
  });

  test('with invalid UTF-8 is refused like by the driver', () => {
    const bytes = bytesOf({ title: 'abc' });
    bytes[bytes.indexOf('abc') + 1] = 0xff;
    expect(() => readBson(bytes)).toThrow('Invalid UTF-8 string in BSON document');
  });

  test('that is truncated or random is refused without endless loops', () => {
    const whole = bytesOf({ title: 'A title', list: [{ a: 1 }, { b: [1.5, new Date(1)] }], end: true });
    for (let length = 5; length < whole.length; length++) {
      expect(() => readBson(whole.subarray(0, length))).toThrow(Error);
    }
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, byte) => {
        const bytes = Buffer.from(whole);
        bytes[at] = byte;
        try {
          readBson(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('is read at any nesting depth', () => {
    let document: object = {};
    for (let depth = 0; depth < 5000; depth++) document = { of: document };
    const bytes = bytesOf(document);
    expect(BSON.serialize(readBson(bytes)).length).toBe(bytes.length);
  });
});
