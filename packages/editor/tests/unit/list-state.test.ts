import { describe, expect, test } from '@jest/globals';
import {
  countsQuery,
  listQuery,
  matchingQuery,
  recentQuery,
  type MatchingPart,
} from '../../src/browser/model/lists/list-query.js';
import {
  columnsOf,
  filterable,
  firstPage,
  formatListState,
  parseListState,
  showsSame,
  sortableColumns,
  sortOf,
  viewOf,
  type ListState,
} from '../../src/browser/model/lists/list-state.js';
import { encodeQuery } from '@content-service/client/query';
import type { Attribute } from '../../src/browser/model/schema.js';
import { article, content } from './content.js';

const filters = [
  { attribute: 'title', operator: '$containsi', operand: 'a:b & c' },
  { attribute: 'author', operator: '$null', operand: '' },
];

describe('the address of a list', () => {
  test.each<[string, Partial<ListState>]>([
    ['', {}],
    ['page=3&pageSize=50', { page: 3, pageSize: 50 }],
    [
      'sort=title%3Aasc&search=bread+rolls&status=draft&locale=fr',
      { sort: 'title:asc', search: 'bread rolls', status: 'draft', locale: 'fr' },
    ],
    ['filter=title%3A%24containsi%3Aa%3Ab+%26+c&filter=author%3A%24null', { filters }],
  ])('"%s" is a state, and the state is that address', (address, changes) => {
    const state = { ...firstPage, ...changes };
    expect(formatListState(state)).toBe(address);
    expect(parseListState(address)).toEqual(state);
  });

  test.each(['page=0', 'page=x', 'pageSize=7', 'status=other', 'filter=title', 'filter=', 'unknown=1'])(
    'what it does not understand is left out: "%s"',
    (address) => {
      expect(parseListState(address)).toEqual(firstPage);
    },
  );
});

test('a view is what a list shows from its first page on, with the chosen columns', () => {
  const state = { ...firstPage, search: 'bread', page: 3 };
  const view = viewOf('Bread', state, ['rating']);
  expect(view).toEqual({ name: 'Bread', search: 'search=bread', columns: ['rating'] });
  expect(showsSame(view, viewOf('', { ...state, page: 1 }, ['rating']))).toBe(true);
  expect(showsSame(view, viewOf('Bread', state, undefined))).toBe(false);
  expect(showsSame(view, viewOf('Bread', firstPage, ['rating']))).toBe(false);
});

describe('the query of a list', () => {
  const queryOf = (changes: Partial<ListState>): string =>
    decodeURIComponent(encodeQuery(listQuery(content, article, { ...firstPage, ...changes })));

  test('selects the columns, with the names of related entries', () => {
    expect(columnsOf(article).map(({ name }) => name)).toEqual(['title', 'rating', 'serial', 'startsAt', 'author']);
    expect(queryOf({})).toBe(
      'fields[0]=id&fields[1]=title&fields[2]=rating&fields[3]=serial&fields[4]=startsAt' +
        '&fields[5]=updatedAt&fields[6]=publishedAt' +
        '&populate[author][fields][0]=id&populate[author][fields][1]=name&populate[author][publicationState]=preview' +
        '&sort=updatedAt:desc&publicationState=preview&pagination[page]=1&pagination[pageSize]=25',
    );
  });

  test('of the counts of a value has the conditions of the list', () => {
    const rating = article.attributes.find(({ name }) => name === 'rating');
    if (rating === undefined) throw new Error('There is no rating');
    const state = {
      ...firstPage,
      search: 'bread',
      page: 3,
      filters: [{ attribute: 'title', operator: '$eq', operand: 'x' }],
    };
    expect(decodeURIComponent(encodeQuery(countsQuery(content, article, state, rating)))).toBe(
      '_q=bread&publicationState=preview&filters[$and][0][title][$eq]=x&groupBy=rating&sort=count:desc' +
        '&pagination[pageSize]=100&pagination[withCount]=false',
    );
    const author = { name: 'author', type: 'relation' } as const;
    expect(countsQuery(content, article, state, author)).toMatchObject({ groupBy: 'author.id' });
  });

  test('has the order that its user chose, or what was changed last first, or the newest', () => {
    const untimed = { ...article, attributes: article.attributes.filter(({ name }) => name !== 'updatedAt') };
    expect([sortOf(article, 'title:asc'), sortOf(article), sortOf(untimed)]).toEqual([
      'title:asc',
      'updatedAt:desc',
      'id:desc',
    ]);
  });

  test('can have the order of each column of plain values, and of the last changes', () => {
    expect(sortableColumns(article, columnsOf(article))).toEqual([
      'title',
      'rating',
      'serial',
      'startsAt',
      'updatedAt',
    ]);
  });

  test('selects the first image, or what the user chose beside the title', () => {
    const cover: Attribute = {
      name: 'cover',
      label: 'Cover',
      type: 'media',
      multiple: false,
      required: false,
      read: true,
      create: true,
      update: true,
    };
    const illustrated = { ...article, attributes: [...article.attributes, cover] };
    const names = (chosen?: readonly string[]) => columnsOf(illustrated, chosen).map(({ name }) => name);
    expect(names()).toEqual(['cover', 'title', 'rating', 'serial', 'startsAt']);
    expect(names(['author', 'secret', 'gone'])).toEqual(['title', 'author']);
    expect(decodeURIComponent(encodeQuery(listQuery(content, illustrated, firstPage)))).toContain(
      '&populate[cover][fields][0]=name&',
    );
  });

  test.each<[string, Partial<ListState>, string]>([
    ['text', { filters: filters.slice(0, 1) }, 'filters[$and][0][title][$containsi]=a:b & c'],
    ['no related entry', { filters: filters.slice(1) }, 'filters[$and][0][author][id][$null]=true'],
    [
      'a related entry',
      { filters: [{ attribute: 'author', operator: '$eq', operand: '3' }] },
      'filters[$and][0][author][id][$in][0]=3',
    ],
    [
      'one of several related entries',
      { filters: [{ attribute: 'author', operator: '$in', operand: '3,x,5' }] },
      'filters[$and][0][author][id][$in][0]=3&filters[$and][0][author][id][$in][1]=5',
    ],
    [
      'the title of a related entry as an address says it that was kept',
      { filters: [{ attribute: 'author', operator: '$eqi', operand: 'ada' }] },
      'filters[$and][0][author][name][$eqi]=ada',
    ],
    [
      'the title of a related entry',
      { filters: [{ attribute: 'author', operator: '$containsi', operand: 'ad' }] },
      'filters[$and][0][author][name][$containsi]=ad',
    ],
    [
      'a time',
      { filters: [{ attribute: 'startsAt', operator: '$lt', operand: '2030-01-31T00:00:00Z' }] },
      'filters[$and][0][startsAt][$lt]=2030-01-31T00:00:00.000Z',
    ],
    ['drafts', { status: 'draft' }, 'filters[$and][0][publishedAt][$null]=true'],
    ['published entries and drafts', { status: 'all' }, 'publicationState=preview'],
    ['a locale', { locale: 'fr' }, 'locale=fr'],
    ['words', { search: 'bread' }, '_q=bread'],
  ])('selects by %s', (_, changes, expected) => {
    expect(queryOf(changes)).toContain(expected);
  });

  test('selects what is modified of types with working copies', () => {
    const modified = { ...firstPage, status: 'modified' } as const;
    expect(parseListState('status=modified')).toEqual(modified);
    expect(encodeQuery(listQuery(content, { ...article, workingCopies: true }, modified))).toContain('&modified=true&');
    expect(encodeQuery(listQuery(content, article, modified))).not.toContain('modified');
  });

  test('of all pages reads the next entries after an id, and some of them again, with an attribute', () => {
    const state = { ...firstPage, page: 3, sort: 'title:asc', search: 'bread', filters: filters.slice(1) };
    const matching = (part: MatchingPart, attributes?: readonly Attribute[]): string =>
      decodeURIComponent(encodeQuery(matchingQuery(content, article, state, part, attributes)));
    expect(matching({ after: 7 })).toBe(
      'fields[0]=id&fields[1]=title&fields[2]=publishedAt&sort=id:asc&_q=bread&publicationState=preview' +
        '&filters[$and][0][author][id][$null]=true&filters[$and][1][id][$gt]=7' +
        '&pagination[pageSize]=100&pagination[withCount]=false',
    );
    const [rating, author] = ['rating', 'author'].map((name) => article.attributes.find((one) => one.name === name));
    const query = matching({ ids: [4, 9] }, [rating, author] as readonly Attribute[]);
    expect(query).toContain('&fields[3]=rating&populate[author][fields][0]=id&');
    expect(query).toContain('&filters[$and][1][id][$in][0]=4&filters[$and][1][id][$in][1]=9&');
  });

  test('of the home page selects the drafts of all locales that were changed last', () => {
    expect(
      decodeURIComponent(encodeQuery(recentQuery(article, 8, { publishedAt: { $null: true }, id: { $in: [7] } }))),
    ).toBe(
      'fields[0]=id&fields[1]=title&fields[2]=publishedAt&fields[3]=updatedAt&fields[4]=locale' +
        '&publicationState=preview&filters[publishedAt][$null]=true&filters[id][$in][0]=7&locale=all&sort=updatedAt:desc&pagination[pageSize]=8',
    );
  });

  test('leaves out filters by what the caller may not read, and published entries need no draft', () => {
    expect(filterable(article).map(({ name }) => name)).not.toContain('secret');
    const query = queryOf({ status: 'published', filters: [{ attribute: 'secret', operator: '$eqi', operand: 'x' }] });
    expect(query).not.toMatch(/filters|preview(?=&pagination)/);
  });
});
