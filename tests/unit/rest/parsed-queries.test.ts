import { beforeAll, expect, test } from '@jest/globals';
import type { ContentType } from '../../../src/content-types/model/types.js';
import { createListParser } from '../../../src/rest/parsed-queries.js';
import { limits, loadCorpus, typeOf } from '../../support/golden.js';

let articles: ContentType;
let tags: ContentType;

beforeAll(async () => {
  const registry = await loadCorpus();
  [articles, tags] = [typeOf(registry, 'article'), typeOf(registry, 'tag')];
});

test('a repeated query string of one type is parsed once', () => {
  const parse = createListParser(limits);
  const first = parse(articles, 'sort=id');
  expect(parse(articles, 'sort=id')).toBe(first);
  expect(parse(tags, 'sort=id')).toMatchObject({ type: tags });
  expect(parse(articles, 'sort=id:desc')).not.toEqual(first);
});

test('neither errors nor long query strings are remembered', () => {
  const parse = createListParser(limits);
  const invalid = (): unknown => parse(articles, 'sort=nothing');
  expect(invalid).toThrow('Invalid parameter nothing');
  expect(invalid).toThrow('Invalid parameter nothing');
  const long = `filters[title]=${'x'.repeat(1000)}`;
  expect(parse(articles, long)).not.toBe(parse(articles, long));
  expect(parse(articles, long)).toEqual(parse(articles, long));
});
