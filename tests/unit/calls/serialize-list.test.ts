import { expect, test } from '@jest/globals';
import fc from '../../support/fast-check.js';
import { scaled } from '../../support/scaled.js';
import { serializeList } from '../../../src/calls/serialize.js';

const meta = { pagination: { page: 1, pageSize: 25, total: 3 } };
/** Beyond everything here. */
const limit = 2 ** 30;
const makersOf = (entries: readonly unknown[]): (() => unknown)[] => entries.map((entry) => () => entry);
const piecesOf = (entries: readonly (() => unknown)[]): readonly string[] => {
  const text = serializeList(entries, meta, limit);
  return typeof text === 'string' ? [text] : [...text];
};

test('the chunks of any list concatenate to its JSON', () => {
  const text = fc
    .tuple(fc.string(), fc.nat(100_000))
    .map(([letters, times]) => letters.repeat(times).slice(0, 600_000));
  const entry = fc.record({ id: fc.nat(), attributes: fc.dictionary(fc.string(), fc.oneof(text, fc.jsonValue())) });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 12 }), (entries) => {
      expect(piecesOf(makersOf(entries)).join('') === JSON.stringify({ data: entries, meta })).toBe(true);
    }),
    { numRuns: scaled(100, 1000) },
  );
});

const long = (letters: number): object => ({ id: 1, attributes: { body: 'x'.repeat(letters) } });

test('a short list is one string, however many entries it has', () => {
  for (const entries of [[], [long(400_000)], Array.from({ length: 100 }, () => long(2000))]) {
    expect(serializeList(makersOf(entries), meta, limit)).toBe(JSON.stringify({ data: entries, meta }));
  }
});

test('a long list is written in chunks of several entries, and can be iterated again', () => {
  const entries = Array.from({ length: 100 }, () => long(100_000));
  const text = serializeList(makersOf(entries), meta, limit);
  if (typeof text === 'string') throw new Error('It is one text');
  const pieces = [...text];
  expect(pieces.length).toBeGreaterThan(30);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(400_000);
  expect([...text]).toEqual(pieces);
});

test('an entry is assembled when its chunk is read', () => {
  let made = 0;
  const entries = Array.from({ length: 100 }, () => () => {
    made += 1;
    return long(100_000);
  });
  const text = serializeList(entries, meta, limit);
  const checked = made;
  const [first] = text;
  expect(first?.length).toBeLessThan(400_000);
  expect(made - checked).toBe(3);
});

test('an entry that cannot be assembled fails before the first chunk', () => {
  const fail = (): never => {
    throw new Error('The last one');
  };
  expect(() => serializeList([...makersOf(Array.from({ length: 9 }, () => long(100_000))), fail], meta, limit)).toThrow(
    'The last',
  );
});

test('a long entry is written in several chunks', () => {
  const entry = { id: 1, attributes: { tags: Array.from({ length: 40 }, () => long(50_000)) } };
  for (const entries of [[entry], [long(10), entry, long(10)]]) {
    const pieces = piecesOf(makersOf(entries));
    expect(pieces.join('')).toBe(JSON.stringify({ data: entries, meta }));
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(400_000);
  }
});

test.each([
  ['many entries', Array.from({ length: 100 }, () => long(5000))],
  ['one entry', [long(400_000)]],
  [
    'a text that is repeated',
    [{ id: 1, attributes: Object.fromEntries(fewNames().map((name) => [name, 'x'.repeat(4000)])) }],
  ],
  ['letters of three bytes', [{ id: 1, attributes: { body: '–'.repeat(140_000) } }]],
])('%s of more bytes than allowed are refused before the first chunk', (_, entries) => {
  expect(() => serializeList(makersOf(entries), meta, 400_000)).toThrow('at most 400000 bytes in one response');
  expect(() => serializeList(makersOf(entries), meta, 600_000)).not.toThrow();
});

function fewNames(): readonly string[] {
  return Array.from({ length: 101 }, (_, index) => `a${index}`);
}
