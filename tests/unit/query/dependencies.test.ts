import { expect, test } from '@jest/globals';
import type { Attribute, ScalarAttribute } from '../../../src/content-types/model/types.js';
import type { Filter } from '../../../src/query/ast.js';
import { affects, changeOf, type Change } from '../../../src/query/change.js';
import {
  contentsOf,
  dependenciesOf,
  narrowDependenciesOf,
  type Dependencies,
} from '../../../src/query/dependencies.js';
import { noChanges, type Changes, type ReferenceRemoval, type Write } from '../../../src/query/mutation.js';
import { loadCorpus, parse, typeOf } from '../../support/golden.js';

const [article, author, category, tag, file] = [
  'api::article.article',
  'api::author.author',
  'api::category.category',
  'api::tag.tag',
  'plugin::upload.file',
];

const namesIn = (names: Dependencies): object =>
  Object.fromEntries([...names].map(([uid, attributes]) => [uid, attributes === 'all' ? attributes : [...attributes]]));

test.each([
  ['', { [article]: ['id'] }],
  ['sort=views', { [article]: ['id', 'views'] }],
  ['filters[title]=a&filters[id]=1', { [article]: ['id', 'title'] }],
  ['_q=a', { [article]: expect.arrayContaining(['id', 'title', 'body', 'slug']) }],
  ['populate=author', { [article]: ['id'], [author]: [] }],
  ['populate[author][filters][name]=a', { [article]: ['id'], [author]: ['name'] }],
  ['populate[author][populate][articles][sort]=views', { [article]: ['id', 'views'], [author]: [] }],
  ['populate[cover]=*', { [article]: ['id'], [file]: [] }],
  ['populate[seo][populate]=*', { [article]: ['id'], [file]: [] }],
  ['filters[seo][metaTitle]=a', { [article]: ['id', 'seo'] }],
  ['filters[blocks][$on][blocks.quote][text]=a', { [article]: ['id', 'blocks'] }],
  ['filters[author][name]=a', { [article]: ['id', 'author'], [author]: ['id', 'name'] }],
  ['sort=category.parent.name', { [article]: ['id', 'category'], [category]: ['id', 'parent', 'name'] }],
  ['populate[tags][count]=true', { [article]: ['id'], [tag]: ['id'] }],
])('the result of %s depends on the attributes that select its entries', async (query, expected) => {
  const dependencies = dependenciesOf(parse(query, typeOf(await loadCorpus(), 'article')));
  expect(namesIn(dependencies)).toEqual(expected);
});

test('a list of published entries depends on the existence of these and the date of publication, one with fallback locales on everything', async () => {
  const type = typeOf(await loadCorpus(), 'article');
  const [live, fallback]: readonly Filter[] = [
    { kind: 'live' },
    { kind: 'fallback', type, locales: ['fr', 'en'], visible: undefined },
  ];
  const query = parse('', type);
  expect(dependenciesOf({ ...query, filter: live })).toEqual(
    new Map([[article, new Set(['published', 'publishedAt'])]]),
  );
  expect(dependenciesOf({ ...query, filter: fallback })).toEqual(new Map([[article, 'all']]));
});

/** As the i18n plugin makes it. */
async function localizedArticle() {
  const type = typeOf(await loadCorpus(), 'article');
  const [slug, tags] = [type.attributes.get('slug'), type.attributes.get('tags')];
  if (slug?.kind !== 'scalar' || tags?.kind !== 'relation') throw new Error('There is no slug, or no tags');
  const locale: ScalarAttribute = { ...slug, name: 'locale', type: 'string', unique: false };
  const localizations = { ...tags, name: 'localizations', target: type };
  const attributes = new Map<string, Attribute>([
    ...type.attributes,
    ['locale', locale],
    ['localizations', localizations],
  ]);
  return { type: { ...type, attributes, pluginOptions: { i18n: { localized: true } } }, locale };
}

test.each<[string, '$eq' | '$in' | '$ne', readonly string[], boolean, string]>([
  ['of one locale', '$eq', ['pt-BR'], false, 'id pt-br'],
  ['of one locale that is published', '$eq', ['fr'], true, 'published fr'],
  ['of what may be several locales', '$in', ['fr', 'de'], false, 'id'],
  ['of all locales but one', '$ne', ['fr'], true, 'published'],
  ['of a locale that a database may take for another', '$eq', ['f\u0155'], false, 'id'],
])(
  'a list %s depends on the existence of entries of this locale, if it names one',
  async (_, operator, operands, isLive, existence) => {
    const { type, locale } = await localizedArticle();
    const ofLocale: Filter = { kind: 'comparison', field: locale, operator, operands };
    const filter: Filter = isLive ? { kind: 'and', filters: [{ kind: 'live' }, ofLocale] } : ofLocale;
    const names = dependenciesOf({ ...parse('', type), filter }).get(article);
    expect(names).toEqual(new Set([existence, 'locale', ...(isLive ? ['publishedAt'] : [])]));
  },
);

test('a new entry exists in its locale, as a draft or published', async () => {
  const { type } = await localizedArticle();
  const namesOf = (values: Readonly<Record<string, string>>) =>
    changeOf({ kind: 'insert', type, id: 1, document: { _id: 1, ...values } }).names;
  expect(namesOf({ locale: 'pt-BR' })).toEqual(['id', 'id pt-br']);
  expect(namesOf({ locale: 'fr', publishedAt: '2026-01-01' })).toEqual(['id', 'published', 'id fr', 'published fr']);
  expect(namesOf({})).toEqual(['id']);
});

test.each([
  ['filters[slug]=a', { [article]: [] }],
  ['filters[id]=1&filters[title]=a&sort=views', { [article]: [] }],
  ['filters[$and][0][slug]=a&populate[author][filters][name]=a', { [article]: [], [author]: ['name'] }],
  ['filters[code]=a', { [article]: [] }],
  ['filters[title]=a', undefined],
  ['filters[slug][$ne]=a', undefined],
  ['filters[$or][0][slug]=a&filters[$or][1][title]=a', undefined],
  ['filters[slug]=a&filters[author][name]=a', undefined],
  ['', undefined],
])('if %s finds an entry, the result depends on no other one', async (query, expected) => {
  const narrow = narrowDependenciesOf(parse(query, typeOf(await loadCorpus(), 'article')));
  expect(narrow && [narrow.least, narrow.below, namesIn(narrow.dependencies)]).toEqual(
    expected && [1, Number.POSITIVE_INFINITY, expected],
  );
});

test.each([
  ['filters[category][id]=3', 'category', { [article]: [], [category]: ['id'] }],
  [
    'filters[category]=3&filters[title]=a&sort=views',
    'category',
    { [article]: ['title', 'views'], [category]: ['id'] },
  ],
  ['filters[tags][id][$in]=3&populate=author', 'tags', { [article]: [], [author]: [], [tag]: ['id'] }],
  [
    'filters[$and][0][tags][id]=3&filters[$and][1][tags][name]=a',
    'tags',
    { [article]: ['tags'], [tag]: ['id', 'name'] },
  ],
])(
  'a result of %s with all of its entries depends only on links to 3 and on values',
  async (query, attribute, expected) => {
    const parsed = parse(query, typeOf(await loadCorpus(), 'article'));
    const narrow = narrowDependenciesOf(parsed);
    expect(narrow && [narrow.least, narrow.below, namesIn(narrow.dependencies)]).toEqual([0, 25, expected]);
    const { shown, joins } = contentsOf(parsed);
    expect([joins, shown.get(article)]).toEqual([
      [expect.objectContaining({ type: article, attribute, existence: 'id', ids: new Set([3]) })],
      new Set(['*', ...(query.includes('author') ? ['author'] : []), attribute]),
    ]);
  },
);

test.each([
  'filters[category][id][$ne]=3',
  'filters[category][name]=a',
  'filters[$or][0][category][id]=3&filters[$or][1][title]=a',
  'filters[seoCard][id][$null]=true',
  'filters[category][id]=3&pagination[page]=2',
])('a part of a list, or other conditions, depend on all links: %s', async (query) => {
  const parsed = parse(query, typeOf(await loadCorpus(), 'article'));
  expect([narrowDependenciesOf(parsed), contentsOf(parsed).joins]).toEqual([undefined, []]);
});

test('localizations have the same value that they share, so that only one in a locale has it', async () => {
  const type = typeOf(await loadCorpus(), 'article');
  const [code, tags] = ['code', 'tags'].map((name) => type.attributes.get(name));
  if (code === undefined || tags === undefined) throw new Error('The corpus has no code or no tags');
  const shared = { ...code, pluginOptions: {} };
  const attributes = new Map([
    ...type.attributes,
    ['code', shared],
    ['locale', { ...shared, name: 'locale' }],
    ['localizations', tags],
  ] as const);
  const find = (query: string) => narrowDependenciesOf(parse(query, { ...type, attributes }));
  expect(find('filters[code]=a')).toBeUndefined();
  expect(find('filters[code]=a&filters[locale]=en')).toBeDefined();
});

test.each([
  ['', { [article]: ['*'] }],
  ['fields=summary&filters[slug]=a', { [article]: ['summary', 'slug'] }],
  ['fields[]=title&fields[]=slug', { [article]: ['title', 'slug'] }],
  ['populate=seo,author', { [article]: ['*', 'author'], [author]: ['*'] }],
  ['fields=title&populate[author][fields]=name', { [article]: ['title', 'author'], [author]: ['name'] }],
  [
    'fields[]=title&fields[]=slug&fields[]=rating&populate=tags,cover&filters[slug]=a',
    expect.objectContaining({ [article]: ['title', 'slug', 'rating', 'tags', 'cover'] }),
  ],
  ['fields[]=title&fields[]=updatedAt', { [article]: ['*'] }],
  ['fields=title&populate[links]=*', { [article]: ['title', 'links'] }],
  ['fields=title&populate[tags][count]=true', { [article]: ['title', 'tags'], [tag]: [] }],
  ['fields=title&populate[seo][populate][shareImage][fields]=url', { [article]: ['title', 'seo'], [file]: ['url'] }],
  ['populate[related][populate]=author', { [article]: ['*', 'related', 'author'], [author]: ['*'] }],
  ['populate=*', expect.objectContaining({ [article]: 'all' })],
])('%s shows attributes of entries', async (query, expected) => {
  const { shown } = contentsOf(parse(query, typeOf(await loadCorpus(), 'article')));
  expect(namesIn(shown)).toEqual(expected);
});

test('an inverse relation depends on links to its entries, a part of it on all links, and an entry by its id not on new ones', async () => {
  const query = parse('populate=articles', typeOf(await loadCorpus(), 'author'));
  expect(dependenciesOf(query)).toEqual(
    new Map([
      [author, new Set(['id'])],
      [article, new Set()],
    ]),
  );
  expect(dependenciesOf(query, true).get(author)).toEqual(new Set());
  expect(contentsOf(query)).toEqual({
    shown: new Map([
      [author, new Set(['*', 'articles'])],
      [article, new Set(['author', '*'])],
    ]),
    joins: [{ type: article, attribute: 'author', of: author, existence: 'id' }],
  });
  const page = parse('populate[articles][limit]=1', query.type);
  expect([dependenciesOf(page).get(article), contentsOf(page).joins]).toEqual([new Set(['id', 'author']), []]);
});

test('a change has the entry and the attributes of a write, as far as it names them', async () => {
  const type = typeOf(await loadCorpus(), 'article');
  const uid = type.uid;
  const changes: Changes = {
    ...noChanges,
    values: new Map([['title', 'a']]),
    merges: new Map([['seo', { kind: 'value', value: undefined }]]),
  };
  const attribute = type.attributes.get('tags');
  if (attribute?.kind !== 'relation') throw new Error('There are no tags');
  const table: readonly (readonly [Write | ReferenceRemoval, Change])[] = [
    [
      { kind: 'insert', type, id: 1, document: { _id: 1, title: 'a', tags: [2, 3] } },
      { type: uid, id: 1, names: ['id'], links: { author: [], tags: [2, 3] } },
    ],
    [
      { kind: 'insert', type, id: 1, document: { _id: 1, publishedAt: new Date() } },
      { type: uid, id: 1, names: ['id', 'published'] },
    ],
    [
      { kind: 'remove', type, id: 1, references: [] },
      { type: uid, id: 1, names: ['id', 'published'], links: { author: [], tags: [] } },
    ],
    [
      { kind: 'update', type, id: 1, changes },
      { type: uid, id: 1, names: ['title', 'seo', '*'], links: {} },
    ],
    [{ kind: 'unlink', type, attribute, targets: [1] }, { type: uid }],
  ];
  for (const [write, change] of table) expect(changeOf(write)).toMatchObject(change);
});

test.each<[string, Omit<Change, 'type'>, 'all' | readonly string[], boolean]>([
  ['of any entry', {}, [], true],
  ['of a contained entry', { id: 1, names: ['summary'] }, [], true],
  ['of an attribute that selects entries', { id: 2, names: ['summary', 'title'] }, ['title'], true],
  ['of another attribute', { id: 2, names: ['summary'] }, ['id', 'title'], false],
  ['of anything of an entry', { id: 2, links: { author: [] } }, ['title'], true],
  ['that creates or removes an entry', { id: 2, names: ['id', 'published'] }, ['id'], true],
  [
    'that creates or removes an entry that cannot be in the result',
    { id: 2, names: ['id', 'published'], links: { author: [] } },
    ['title'],
    false,
  ],
  ['that creates or removes an entry of the locale', { id: 2, names: ['id', 'id fr'], links: {} }, ['id fr'], true],
  ['that creates or removes one of another', { id: 2, names: ['id', 'id en'], links: {} }, ['id fr'], false],
  ['of an attribute, where all decide', { id: 2, names: ['summary'] }, 'all', true],
  [
    'that creates or removes a published entry',
    { id: 2, names: ['id', 'published'], links: { author: [] } },
    ['published'],
    true,
  ],
  ['that creates or removes a draft', { id: 2, names: ['id'], links: { author: [] } }, ['published'], false],
  ['that removes a contained draft', { id: 1, names: ['id'] }, [], true],
  ['of a link to a contained entry', { id: 2, names: ['author'], links: { author: [3] } }, [], true],
  ['of a link to another entry', { id: 2, names: ['author'], links: { author: [4] } }, [], false],
  ['of any link', { id: 2, names: ['author'], links: { author: null } }, [], true],
  [
    'that creates a published entry with a link',
    { id: 2, names: ['id', 'published'], links: { author: [3] } },
    [],
    true,
  ],
  ['that creates a draft with a link', { id: 2, names: ['id'], links: { author: [3] } }, [], false],
  ['of a link to an entry of which it has all', { id: 2, names: ['author'], links: { author: [5] } }, [], true],
  ['of an attribute of a contained entry that it does not show', { id: 1, names: ['body'] }, [], false],
])('a result is or is not affected by a change %s', (_, change, decisive, expected) => {
  const names = decisive === 'all' ? decisive : new Set(decisive);
  expect(
    affects({ type: article, ...change }, names, {
      ids: new Map([
        [article, new Set([1])],
        [author, new Set([3])],
      ]),
      contents: {
        shown: new Map([[article, new Set(['summary'])]]),
        joins: [
          { type: article, attribute: 'author', of: author, existence: 'published' },
          { type: article, attribute: 'author', of: author, existence: 'published', ids: new Set([5]) },
        ],
      },
    }),
  ).toBe(expected);
});
