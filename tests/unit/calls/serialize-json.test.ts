import { expect, test } from '@jest/globals';
import fc from '../../support/fast-check.js';
import { scaled } from '../../support/scaled.js';
import type { ResponseBody } from '../../../src/documents/response/response-cache.js';
import { serializeJson } from '../../../src/calls/serialize.js';

const limit = 2 ** 30;
const piecesOf = (text: ResponseBody): readonly string[] => (typeof text === 'string' ? [text] : [...text]);

test('the chunks of any body concatenate to its JSON', () => {
  const long = fc.tuple(fc.string(), fc.nat(50_000)).map(([letters, times]) => letters.repeat(times));
  const part = fc.oneof(
    long,
    fc.jsonValue(),
    fc.constant(undefined),
    fc.date({ noInvalidDate: true }),
    long.map((text) => ({ toJSON: () => ({ text, more: [text] }) })),
  );
  const body = fc.record({ data: fc.array(fc.dictionary(fc.string(), part)), errors: fc.array(part), meta: part });
  fc.assert(
    fc.property(body, (one) => {
      expect(piecesOf(serializeJson(one, limit)).join('') === JSON.stringify(one)).toBe(true);
    }),
    { numRuns: scaled(100, 1000) },
  );
});

test('a short body is one string, a long one is chunked, repeatedly', () => {
  expect(serializeJson({ data: ['x'.repeat(200_000)] }, limit)).toBe(JSON.stringify({ data: ['x'.repeat(200_000)] }));
  const text = serializeJson({ data: Array.from({ length: 1000 }, () => ({ text: 'x'.repeat(2000) })) }, limit);
  const pieces = piecesOf(text);
  expect(pieces.length).toBeGreaterThan(5);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(300_000);
  expect(piecesOf(text)).toEqual(pieces);
});

test('a body that is too long is refused before serialization', () => {
  const text = 'x'.repeat(20_000);
  const body = { data: Array.from({ length: 5000 }, () => ({ text })) };
  expect(() => serializeJson(body, 2 ** 25)).toThrow('at most 33554432 bytes in one response (RESPONSE_LIMIT)');
});
