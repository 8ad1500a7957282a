import { beforeAll, expect, test } from '@jest/globals';
import type { ContentType } from '../../../src/content-types/model/types.js';
import { createEntryParser, createListParser, parseKeyedQuery } from '../../../src/rest/read-actions.js';
import { asked, limits, loadCorpus, typeOf } from '../../support/golden.js';

let articles: ContentType;
let tags: ContentType;

beforeAll(async () => {
  const registry = await loadCorpus();
  [articles, tags] = [typeOf(registry, 'article'), typeOf(registry, 'tag')];
});

test('a repeated query string of one type is parsed once', () => {
  const parse = createListParser(limits);
  const first = parse(articles, asked('sort=id'));
  expect(parse(articles, asked('sort=id'))).toBe(first);
  expect(parse(tags, asked('sort=id'))).toMatchObject({ type: tags });
  expect(parse(articles, asked('sort=id:desc'))).not.toEqual(first);
});

test('errors are not remembered', () => {
  const parse = createListParser(limits);
  const invalid = (): unknown => parse(articles, asked('sort=nothing'));
  expect(invalid).toThrow('Invalid parameter nothing');
  expect(invalid).toThrow('Invalid parameter nothing');
});

test('the query of an entry has its selection and the parameters of plugins, and its filter and sort apart', () => {
  const parse = createEntryParser(limits);
  const request = asked('fields=name&locale=fr&sort=id&filters[id]=1');
  const { query, unused } = parse(tags, request);
  expect(query).toMatchObject({ type: tags, fields: [{ name: 'name' }], filter: undefined, sort: [] });
  expect(query.parameters).toEqual({ locale: 'fr' });
  expect(unused.sort).toHaveLength(1);
  expect(parse(tags, request).query).toBe(query);
  expect(() => parse(tags, asked('sort=nothing'))).toThrow('Invalid parameter nothing');
});

test('the query of an entry with a key has the key as its filter', () => {
  const slug = { attribute: 'slug', value: 'a?b' };
  expect(parseKeyedQuery(slug, { fields: 'title' }, articles, limits).query).toMatchObject({
    filter: { operands: ['a?b'] },
    pagination: { limit: 1 },
    publicationState: undefined,
  });
  const title = { attribute: 'title', value: 'b' };
  expect(() => parseKeyedQuery(title, {}, articles, limits)).toThrow('Invalid parameter title');
});
