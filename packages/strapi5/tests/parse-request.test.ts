import lodash from 'lodash';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { linkDefinitions } from '../../../src/app/load-registry.js';
import { load } from '../../../src/content-types/load/load.js';
import type { ContentType, Registry } from '../../../src/content-types/model/types.js';
import { createI18n } from '../../../src/plugins/i18n/i18n.js';
import { parseQueryString } from '../../../src/calls/query-string.js';
import { file, user } from '../../../tests/unit/content-types/define.js';
import { nothing, type Filter } from '../../../src/query/ast.js';
import { parseGroups, parseList, parseOne, parseShown } from '../src/reads/parse-request.js';

const limits = { defaultLimit: 25, maxLimit: 100, withCount: true, populateLimit: 500 };
let registry: Registry;
beforeAll(async () => {
  const { contentTypes, components } = await load('tests/fixtures/corpus/content-types');
  const plugins = [createI18n({}), { name: 'strapi5', documentIds: true, workingCopies: true } as const];
  registry = linkDefinitions({ contentTypes: [...contentTypes, file, user], components }, plugins);
});
const type = (name: string): ContentType => registry.contentTypes.get(`api::${name}.${name}`) as ContentType;
const parsing = { limits, strictParams: false, isNative: false };
const parse = (query: string, name = 'article', strictParams = false) =>
  parseList(parseQueryString(query), type(name), { limits, strictParams, isNative: false });

/** The message and the details of the refusal of a query. */
function refusalOf(query: string, name?: string, strictParams?: boolean): readonly unknown[] {
  try {
    parse(query, name, strictParams);
  } catch (error) {
    const { message, details } = error as { readonly message: string; readonly details: unknown };
    return [message, details];
  }
  throw new Error(`${query} is not refused`);
}

describe('names that a request cannot use are refused with their place', () => {
  test.each([
    ['fields=nope', 'nope', null, 'fields'],
    ['fields=title,internalNote', 'internalNote', 'internalNote', 'fields'],
    ['fields[0]=author', 'author', 'author', 'fields'],
    ['sort=nope', 'nope', null, 'sort'],
    ['sort=author', 'author', 'author', 'sort'],
    ['sort=author:asc', 'asc', 'author', 'sort'],
    ['sort=blocks:asc', 'blocks', 'blocks', 'sort'],
    ['fields=createdBy', 'createdBy', 'createdBy', 'fields'],
    ['sort[author][nope]=asc', 'nope', 'author', 'sort'],
    ['filters[nope]=1', 'nope', null, 'filters'],
    ['filters[$or][0][author][nope]=1', 'nope', 'author', 'filters'],
    ['filters[title][$nope]=1', '$nope', 'title', 'filters'],
    ['filters[meta][level]=1', 'level', 'meta', 'filters'],
    ['filters[blocks][content]=x', 'blocks', 'blocks', 'filters'],
    ['populate=nope', 'nope', 'nope', 'populate'],
    ['populate=author.name', 'name', 'author.name', 'populate'],
    ['populate[0]=*', '*', '*', 'populate'],
    ['populate[author][populate][nope]=true', 'nope', 'author', 'populate'],
    ['populate[tags][limit]=1', 'limit', 'tags', 'populate'],
    ['populate[related][locale]=fr', 'locale', 'related.locale', 'populate'],
    ['populate[blocks][populate][source]=true', 'populate', 'blocks', 'populate'],
    ['populate[blocks][on][blocks.nope]=true', 'blocks.nope', 'blocks.on.blocks.nope', 'populate'],
    ['filters[id][$nope]=1', '$nope', null, 'filters'],
    // What is in a relation is told without it, and what cannot be populated with all names above it.
    ['populate[tags][filters][nope]=1', 'nope', null, 'populate'],
    ['populate[tags][sort]=nope', 'nope', null, 'populate'],
    ['populate[tags][fields]=nope', 'nope', null, 'populate'],
    ['populate[author][populate]=nope', 'nope', 'nope', 'populate'],
    ['populate[author][populate][name]=true', 'name', 'author.populate.name', 'populate'],
    ['populate[author]=nope', 'nope', 'author', 'populate'],
    ['populate[tags][count]=nope', 'count', 'tags', 'populate'],
    ['populate[blocks][populate]=true', 'populate', 'blocks', 'populate'],
    ['populate[blocks][on]=nope', 'on', 'blocks.on', 'populate'],
    ['populate[blocks][on][blocks.quote][nope]=1', 'nope', 'blocks', 'populate'],
    [
      'populate[blocks][on][blocks.quote][populate][text]=true',
      'text',
      'blocks.on[blocks.quote].populate.text',
      'populate',
    ],
    ['populate=cover.related', 'cover', 'cover', 'populate'],
    // Source: `validatePopulateDotPaths` of Strapi 5.54.
    ['populate=blocks.nope', 'nope', 'blocks.nope', 'populate'],
    ['populate=blocks.content.nope', 'content', 'blocks.content', 'populate'],
    ['populate=blocks.source.nope', 'source', 'blocks.source', 'populate'],
  ])('%s', (query, key, path, param) => {
    const place = path === null || path === key ? '' : ` at ${path}`;
    expect(refusalOf(query)).toEqual([`Invalid key ${key}${place}`, { key, path, source: 'query', param }]);
  });

  test('more than an end of a morph relation', () => {
    expect(refusalOf('populate=items.author', 'bookmark')[0]).toBe('Invalid key items');
  });

  test('unknown parameters only where that is set', () => {
    const details = { key: 'foo', path: null, source: 'query', param: 'foo' };
    expect(refusalOf('foo=bar', 'article', true)).toEqual(['Invalid key foo', details]);
    expect(parse('foo=bar').filter).toBeUndefined();
    expect(parse('fallbackLocale=de', 'article', true).parameters).toEqual({ fallbackLocale: ['de'] });
  });
});

test('a path leads on below a zone in any of its components', () => {
  for (const path of ['blocks.source', 'blocks.source.articles', 'blocks.heading', 'related.blocks.mentions'])
    expect(parse(`populate=${path}`).populate).toHaveLength(1);
});

describe('values that mean something else are refused', () => {
  test.each([
    ['status=nope', "Invalid value for 'status'. Expected one of: draft, published."],
    ['status=', "Invalid value for 'status'. Expected one of: draft, published."],
    ['status[0]=draft', "Invalid value for 'status'. Expected one of: draft, published."],
    ['sort=title:sideways', 'Invalid order. order can only be one of asc|desc|ASC|DESC'],
    ['filters=x', 'The filters parameter must be an object or an array'],
    ['pagination[page]=1&pagination[limit]=1', 'Cannot use both page & offset pagination in the same query'],
    ['pagination[page]=abc', 'convertStartQueryParams expected a positive integer got NaN'],
    ['lookup[a]=1', "Invalid params: 'lookup'"],
    ['lookup=1&populate=nope', 'Invalid key nope'],
    ['hasPublishedVersion=x', "Invalid value for 'hasPublishedVersion'. Expected boolean or 'true'/'false' string."],
    ['populate[cover]=*', 'Invalid key related at cover.related'],
    [
      'populate[blocks]=*',
      'Invalid nested populate for article.blocks (api::article.article). Expected a fragment ("on") or "count" but found "*"',
    ],
    [
      'populate[blocks][fields]=id',
      'Invalid nested populate for article.blocks (api::article.article). Expected a fragment ("on") or "count" but found {"fields":"id"}',
    ],
    [
      'populate[blocks][limit]=1',
      'Invalid nested populate for article.blocks (api::article.article). Expected a fragment ("on") or "count" but found {"limit":"1"}',
    ],
  ])('%s', (query, message) => {
    expect(refusalOf(query)[0]).toBe(message);
  });
});

test.each([
  ['', { form: 'page', page: 1, start: 0, limit: 25 }],
  ['pagination[pageSize]=1000', { form: 'page', page: 1, start: 0, limit: 100 }],
  ['pagination[page]=0&pagination[pageSize]=0', { form: 'page', page: 1, start: 0, limit: 1 }],
  ['pagination[limit]=-1', { form: 'offset', start: 0, limit: 1 }],
  ['pagination[start]=-1', { form: 'offset', start: 0, limit: 25 }],
  ['limit=2&start=1', { form: 'page', page: 1, start: 0, limit: 25 }],
])('numbers of pages become the nearest that is allowed: %s', (query, pagination) => {
  expect(parse(query).pagination).toEqual({ ...pagination, withCount: true });
});

test('a condition on the locale at the first level replaces the parameter', () => {
  expect(parse('locale=de&filters[locale]=fr').parameters).toEqual({ locale: 'all' });
  expect(parse('locale=de&filters[$and][0][locale]=fr').parameters).toEqual({ locale: 'de' });
  expect(parse('locale=*').parameters).toEqual({ locale: 'all' });
  expect(parse('locale=').parameters).toEqual({});
});

test('groups are of what a list with the same words shows', () => {
  const groups = (query: string, name = 'article', strictParams = false) =>
    parseGroups(parseQueryString(query), type(name), { limits, strictParams, isNative: false });
  const list = 'status=draft&filters[title]=x&locale=*&publicationFilter=modified&pagination[pageSize]=1000';
  const { aggregate, ...query } = groups(`${list}&groupBy=publishedAt:year,documentId`);
  const { filter, parameters, publicationState, pagination } = parse(list);
  expect(query).toMatchObject({ filter, parameters, publicationState, pagination });
  expect(aggregate?.keys.map(({ path }) => path.field.name)).toEqual(['_unpublished', 'documentId']);
  expect(() => groups('groupBy=internalNote')).toThrow('Invalid parameter internalNote');
  expect(() => groups('filters[nope]=1')).toThrow('Invalid key nope');
  for (const unknown of ['fields=title', 'nope=1'])
    expect(() => groups(`groupBy=title&sum=views&timeZone=UTC&${unknown}`, 'article', true)).toThrow('Invalid key');
});

test('one entry has to match the filters, and is in one locale', () => {
  const one = (query: string) =>
    parseOne(parseQueryString(query), type('article'), { limits, strictParams: false, isNative: false });
  expect(one('filters[title]=x&sort=title').filter).toMatchObject({ kind: 'comparison', operands: ['x'] });
  expect(() => one('filters[nope]=x')).toThrow('Invalid key nope');
  expect(() => one('locale=*')).toThrow('Not Found');
});

test('a page has no effect on one entry, but is checked, and there is none on a later one', () => {
  const [entry, write] = [parseOne, parseShown].map(
    (read) => (query: string) => read(parseQueryString(query), type('article'), parsing).pagination,
  );
  for (const query of ['limit=1', 'limit=-1', 'limit=', 'start=0', 'page=2&pageSize=1', 'pagination[limit]=x'])
    expect(entry?.(query)).toEqual(entry?.(''));
  expect(() => entry?.('start=1')).toThrow('Not Found');
  for (const [query, message] of [
    ['limit=x', 'convertLimitQueryParams expected a positive integer got NaN'],
    ['limit=-2', 'convertLimitQueryParams expected a positive integer got -2'],
    ['start=x', 'convertStartQueryParams expected a positive integer got NaN'],
    ['page=x', "Invalid 'page' parameter"],
    ['page=1&start=1', 'You cannot use page and offset pagination'],
  ] as const) {
    expect(() => entry?.(query)).toThrow(message);
    expect(write?.(query)).toEqual(entry?.(''));
  }
});

test('the time of the publication is null in drafts at every level, and of types without drafts that of the last write', () => {
  const names = (query: ReturnType<typeof parse>): readonly unknown[] =>
    query.fields.flatMap(({ name, alias }) => (alias?.name === 'publishedAt' ? [name] : []));
  const drafts = parse('status=draft&populate[related]=true&populate[tags]=true');
  const related = drafts.populate.flatMap((node) => (node.kind === 'relation' ? [node.query] : []));
  expect([drafts, ...related].map((query) => names(query as ReturnType<typeof parse>))).toEqual([
    ['_unpublished'],
    ['_unpublished'],
    ['updatedAt'],
  ]);
  expect(parse('status=draft&filters[publishedAt][$null]=true').filter).toMatchObject({
    field: { name: '_unpublished' },
  });
  expect(parse('filters[publishedAt][$gt]=2020', 'tag').filter).toMatchObject({ field: { name: 'updatedAt' } });
});

test('publicationFilter compares the versions of an entry', () => {
  const filterOf = (name: string): unknown => parse(`publicationFilter=${name}`).filter;
  const live = { kind: 'live' };
  const copied = { kind: 'copied', type: type('article') };
  expect(filterOf('never-published')).toEqual({ kind: 'not', filter: live });
  expect(filterOf('modified')).toEqual(copied);
  expect(filterOf('unmodified')).toEqual({ kind: 'and', filters: [live, { kind: 'not', filter: copied }] });
  expect(filterOf('has-published-version-document')).toMatchObject({ kind: 'or', filters: [live, { filter: live }] });
  expect(parse('publicationFilter=modified', 'tag').filter).toBeUndefined();
});

test('a component has no documentId to show', () => {
  expect(parse('populate[links][fields][0]=documentId').populate[0]).toMatchObject({ selection: { fields: [] } });
});

test('all is no locale: a list finds nothing, and there is no such entry', () => {
  expect(parse('locale=all').filter).toEqual({ kind: 'never' });
  expect(() => parseOne({ locale: 'all' }, type('article'), parsing)).toThrow(
    expect.objectContaining({ code: 'notFound' }),
  );
});

test.each([
  ['published', false],
  ['draft', true],
])('publicationFilter with status %s holds for related entries, too', (status, isNothing) => {
  const { filter, populate } = parse(
    `status=${status}&publicationFilter=published-with-draft&populate[related]=true&populate[tags]=true`,
  );
  const [related, tags] = populate.map((node) => (node.kind === 'relation' ? node.query.filter : undefined));
  expect(filter).toEqual(related);
  expect(lodash.isEqual(filter, nothing)).toBe(isNothing);
  // Types without drafts ignore it.
  expect(tags).toBeUndefined();
});

test('conditions on localizations of localizations do not double at each level', () => {
  const comparisonsIn = (filter: Filter | undefined): number => {
    if (filter === undefined) return 0;
    if ('filters' in filter) return filter.filters.reduce((sum, part) => sum + comparisonsIn(part), 0);
    return 'filter' in filter ? comparisonsIn(filter.filter) : 1;
  };
  for (const steps of ['[localizations]', '[localizations][author][articles]']) {
    const counts = [1, 5].map((depth) => comparisonsIn(parse(`filters${steps.repeat(depth)}[title]=x`).filter));
    expect([steps, counts[1]]).toEqual([steps, counts[0]]);
  }
});
