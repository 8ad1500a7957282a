import { expect, test } from '@jest/globals';
import type { ContentType } from '../../../src/content-types/model/types.js';
import { emptyQuery } from '../../../src/documents/context.js';
import { heldBytes } from '../../../src/query/held-bytes.js';
import { createSizedCache } from '../../../src/query/sized-cache.js';
import { loadCorpus } from '../../support/golden.js';

test('a cache keeps what fits, with the keys; the least recently used goes first', () => {
  const cache = createSizedCache<string>({ bytes: 10_000, sizeOf: heldBytes });
  cache.set('a', 'x'.repeat(2000));
  cache.set('b', 'x'.repeat(2000));
  expect(cache.get('a')).toBeDefined();
  cache.set('k'.repeat(1000), 'x');
  expect([...cache.keys()].map((key) => key[0])).toEqual(['k', 'a']);
  cache.set('c', 'x'.repeat(10_000));
  expect(cache.has('c')).toBe(false);
});

test('small values count too', () => {
  const cache = createSizedCache<true>({ bytes: 10_000, sizeOf: () => 0 });
  for (let index = 0; index < 1000; index += 1) cache.set(`${index}`, true);
  expect(cache.size).toBeLessThan(50);
});

test('a value holds its texts, numbers, lists, sets and maps, at least', () => {
  expect(heldBytes('x'.repeat(1000))).toBeGreaterThan(1000);
  expect(heldBytes(Array.from({ length: 1000 }, () => 1))).toBeGreaterThan(8000);
  expect(heldBytes(new Set(Array.from({ length: 1000 }, (_, index) => index)))).toBeGreaterThan(16_000);
  expect(heldBytes(new Map([['key', { text: 'x'.repeat(1000) }]]))).toBeGreaterThan(1000);
});

test('a query does not hold the definitions that it refers to', async () => {
  const { contentTypes } = await loadCorpus();
  const type = contentTypes.get('api::article.article') as ContentType;
  expect(heldBytes(type)).toBe(0);
  expect(heldBytes(emptyQuery(type))).toBeLessThan(10_000);
});
