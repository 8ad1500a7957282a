import { describe, expect, test } from '@jest/globals';
import { createParseQueryString, parseQueryString } from '../../../src/calls/query-string.js';
import { loadCorpus, parse, typeOf } from '../../support/golden.js';
import { processorTimeOf } from '../../support/processor-time.js';

describe('a parameter with an unclosed first bracket', () => {
  test.each([
    ['filters[title=x', {}],
    ['filters[[title]]=x', {}],
    ['filters%5B%5Btitle%5D]=x', {}],
    ['a=1&filters[title=x&b=2', { a: '1', b: '2' }],
    ['filters[title]=[x', { filters: { title: '[x' } }],
    ['title]=x', { 'title]': 'x' }],
    ['a=b[c[d]=e', {}],
    ['a=b[c]=d', { 'a=b': { c: 'd' } }],
  ])('is ignored: %s', (text, parameters) => {
    expect(parseQueryString(text)).toEqual(parameters);
  });

  test.each([
    'filters[title][$eq=x',
    'filters%5Btitle%5D%5B$eq=x',
    'filters[title][=x',
    'filters[title][[=x',
    'filters[title]]=x',
    'filters[title]a]=x',
    'filters[title]a=x',
  ])('is read up to the bracket, as in Strapi v4: %s', (text) => {
    expect(parseQueryString(text)).toEqual({ filters: { title: 'x' } });
  });

  test('is skipped among others, as in Strapi v4', () => {
    expect(parseQueryString('filters[title][[$eq]]=x')).toEqual({ filters: { title: { $eq: 'x' } } });
  });

  test('is found in linear time', async () => {
    // A quarter of a megabyte; a scan that starts again at each bracket takes minutes.
    const open = '[['.repeat(128_000);
    const texts = [open, open.replaceAll('[', '%5B'), `${open}]=x`, '[]'.repeat(128_000), `a=${']'.repeat(256_000)}`];
    expect(await processorTimeOf(() => texts.map((text) => parseQueryString(text)))).toBeLessThan(10_000);
  });
});

test('a string beside an object of the same name becomes a key of it, as in Strapi v4 before 4.26.2', () => {
  expect(parseQueryString('populate[a][fields]=b&populate=c&populate[d]=*')).toEqual({
    populate: { a: { fields: 'b' }, c: true, d: '*' },
  });
});

test('populate as an object and as a name populates both', async () => {
  const type = typeOf(await loadCorpus(), 'article');
  const { populate } = parse('populate[author][fields]=name&populate=category', type);
  expect(populate.map(({ key }) => key)).toEqual(['author', 'category']);
  expect(() => parse('populate=category&populate[author][fields]=name', type)).toThrow('Invalid parameter populate');
});

const parameters = (count: number): string => Array.from({ length: count }, (_, index) => `p${index}=x`).join('&');

test('more than 1,000 parameters are refused', () => {
  expect(Object.keys(parseQueryString(parameters(1000)))).toHaveLength(1000);
  expect(() => parseQueryString(parameters(1001))).toThrow('The query asks for too much: at most 1000 parameters');
});

describe('options of strapi::query', () => {
  const list = (count: number): string => Array.from({ length: count }, (_, index) => `a[${index}]=x`).join('&');
  const lengthWith = (options: object, count: number): unknown =>
    (createParseQueryString(options)(list(count))['a'] as { readonly length?: number }).length;

  test('set the longest list that stays one', () => {
    expect([lengthWith({}, 100), lengthWith({}, 102)]).toEqual([100, undefined]);
    expect([lengthWith({ arrayLimit: 300 }, 250), lengthWith({ arrayLimit: 20 }, 30)]).toEqual([250, undefined]);
    expect(lengthWith({ arrayLimit: 10_000_000 }, 900)).toBe(900);
  });

  test.each([
    [{ strictNullHandling: false }, 'a', { a: '' }],
    [{ depth: 1 }, 'a[b][c]=x', { a: { b: { '[c]': 'x' } } }],
    [{ depth: 1000 }, 'a[b]=x', { a: { b: 'x' } }],
    [{ parameterLimit: 1 }, 'a=x&b=y', { a: 'x' }],
    [{ allowDots: true }, 'a.b=x', { a: { b: 'x' } }],
    [{ comma: true }, 'a=x,y', { a: ['x', 'y'] }],
    [{ delimiter: ';' }, 'a=x;b=y', { a: 'x;b=y' }],
  ])('count as in Strapi v4: %j', (options, text, parameters) => {
    expect(createParseQueryString(options)(text)).toEqual(parameters);
  });

  test('that qs does not take are refused', () => {
    expect(() => createParseQueryString({ charset: 'latin' })).toThrow('charset');
  });
});
