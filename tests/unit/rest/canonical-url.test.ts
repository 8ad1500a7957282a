import { expect, test } from '@jest/globals';
import { canonicalUrl } from '../../../src/rest/canonical-url.js';
import fc from '../../support/fast-check.js';
import { scaled } from '../../support/scaled.js';

test.each([
  ['/api/%64ocs/%2D%2e%5f%7E%39', '/api/docs/-._~9'],
  ['/api/a%2Fb%20c%C3%A9', '/api/a%2Fb%20c%C3%A9'],
  ['/api/docs?filters[%61]=%62', '/api/docs?filters[%61]=%62'],
  ['/%64?%64?%64', '/d?%64?%64'],
  ['/%2564', '/%2564'],
  ['/%20%64', '/%20d'],
  ['/%%364/%6%34', '/%%364/%6%34'],
  ['/a/./b/../c', '/a/c'],
  ['/a/%2e%2E/b/.', '/b/'],
  ['/../..', '/'],
  ['//a/../b', '//b'],
  ['/a/...', '/a/...'],
  ['/a?b=/../c', '/a?b=/../c'],
  ['http://a.example/%61/../%62?c', 'http://a.example/b?c'],
  ['*', '*'],
  ['', ''],
])('%s is %s', (url, canonical) => {
  expect(canonicalUrl(url)).toBe(canonical);
});

test('one pass decodes everything, and nothing twice', () => {
  const piece = fc.constantFrom('%', '2', '5', '6', '1', 'A', 'z', '/', '.', '%25', '%61', '%2E', '%2F', '%C3%A9', '?');
  const urls = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(urls, (url) => {
      const canonical = canonicalUrl(url);
      expect(canonicalUrl(canonical)).toBe(canonical);
      if (!/\.|%2e/i.test(url)) expect(decoded(canonical)).toBe(decoded(url));
    }),
    { numRuns: scaled(2000, 200_000) },
  );
});

/** Undefined if it is malformed. */
function decoded(url: string): string | undefined {
  try {
    return decodeURIComponent(url);
  } catch {
    return undefined;
  }
}
