import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { writeList } from '../../../src/rest/write-list.js';

const meta = { pagination: { page: 1, pageSize: 25, total: 3 } };
const makersOf = (entries: readonly unknown[]): (() => unknown)[] => entries.map((entry) => () => entry);
const piecesOf = (entries: readonly (() => unknown)[]): readonly string[] => {
  const text = writeList(entries, meta);
  return typeof text === 'string' ? [text] : [...text];
};

test('whatever the entries are, the pieces together are the JSON of the list', () => {
  const text = fc
    .tuple(fc.string(), fc.nat(100_000))
    .map(([letters, times]) => letters.repeat(times).slice(0, 400_000));
  const entry = fc.record({ id: fc.nat(), attributes: fc.dictionary(fc.string(), fc.oneof(text, fc.jsonValue())) });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 12 }), (entries) => {
      expect(piecesOf(makersOf(entries)).join('') === JSON.stringify({ data: entries, meta })).toBe(true);
    }),
  );
});

const long = (letters: number): object => ({ id: 1, attributes: { body: 'x'.repeat(letters) } });

test('a short list is written whole, however many entries it has', () => {
  for (const entries of [[], [long(1_000_000)], Array.from({ length: 100 }, () => long(2000))]) {
    expect(writeList(makersOf(entries), meta)).toBe(JSON.stringify({ data: entries, meta }));
  }
});

test('a long list is written in pieces that hold a few of its entries, and can be gone through again', () => {
  const entries = Array.from({ length: 100 }, () => long(100_000));
  const text = writeList(makersOf(entries), meta);
  if (typeof text === 'string') throw new Error('It is one text');
  const pieces = [...text];
  expect(pieces.length).toBeGreaterThan(30);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(400_000);
  expect([...text]).toEqual(pieces);
});

test('an entry is put together when its piece is asked for', () => {
  let made = 0;
  const entries = Array.from({ length: 100 }, () => () => {
    made += 1;
    return long(100_000);
  });
  const text = writeList(entries, meta);
  const checked = made;
  const [first] = text;
  expect(first?.length).toBeLessThan(400_000);
  expect(made).toBe(checked);
});

test('an entry that cannot be put together is found before anything is given', () => {
  const fail = (): never => {
    throw new Error('The last one');
  };
  expect(() => writeList([...makersOf(Array.from({ length: 9 }, () => long(100_000))), fail], meta)).toThrow(
    'The last',
  );
});
