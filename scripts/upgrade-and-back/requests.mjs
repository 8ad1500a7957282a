/**
 * The requests whose answers are compared: of lists, entries, files, users and GraphQL, on the world of
 * tests/fixtures/archives.
 */

const orders = ['id', 'title', 'slug', 'body', 'views', 'price', 'day', 'at', 'createdAt', 'publishedAt'];
const conditions = [
  '[title][$eq]=Article 1 — über "Zeichen"',
  '[title][$containsi]=ARTICLE',
  '[title][$startsWith]=Article 1',
  '[title][$notContains]=1',
  '[slug][$null]=true',
  '[views][$gt]=5',
  '[views][$eq]=9007199254740993',
  '[price][$between][0]=1&filters[price][$between][1]=5',
  '[day][$gte]=2026-02-10',
  '[at][$lt]=2026-02-05T00:00:00.000Z',
  '[author][name][$eq]=Émile Zola',
  '[author][id][$in][0]=1&filters[author][id][$in][1]=2',
  '[author][id][$null]=true',
  '[cover][name][$contains]=straße',
  '[quotes][text][$contains]=quote',
  '[quotes][source][name][$notNull]=true',
  '[$or][0][price][$lt]=2&filters[$or][1][views][$lt]=3',
  '[$not][title][$contains]=2',
  '[publishedAt][$notNull]=true',
  '[titel]=misspelled',
];
const populations = [
  'populate=*',
  'populate=author.articles',
  'populate=quotes.source,parts',
  'populate[parts][populate]=*',
  'populate[author][fields]=name&populate[cover]=true',
  'populate=localizations',
  'populate=deep',
];
const others = [
  'fields=title',
  'fields[0]=views&fields[1]=price',
  'publicationState=preview',
  'publicationState=preview&populate=*&sort=id',
  'locale=de',
  'locale=all&sort=title,id',
  'pagination[pageSize]=3',
  'pagination[page]=2&pagination[pageSize]=3',
  'pagination[start]=4&pagination[limit]=2',
  'pagination[withCount]=false&pagination[pageSize]=2',
  'pagination[pageSize]=1000',
];
const ids = Array.from({ length: 12 }, (_, index) => index + 1);

const restPaths = [
  ...[...orders.map((name) => `sort=${name}:asc`), ...orders.map((name) => `sort=${name}:desc&locale=all`)].map(
    (query) => `/api/articles?${query}`,
  ),
  ...conditions.map((condition) => `/api/articles?sort=id&filters${condition}`),
  ...conditions.map((condition) => `/api/articles?locale=all&sort=title&filters${condition}`),
  ...[...populations, ...others].map((query) => `/api/articles?${query}`),
  ...ids.flatMap((id) => [`/api/articles/${id}`, `/api/articles/${id}?populate=*&publicationState=preview`]),
  ...['', '?sort=name', '?populate=*', '?populate=articles.cover', '?filters[articles][title][$contains]=1'].map(
    (query) => `/api/authors${query}`,
  ),
  ...[1, 2, 3, 4].map((id) => `/api/authors/${id}?populate=*`),
  ...['', '?populate=*', '?populate=top.author'].map((query) => `/api/homepage${query}`),
  '/api/upload/files',
  '/api/upload/files/1',
  '/api/users',
  '/api/users/me',
  '/api/users/1?populate=role',
  '/api/users-permissions/roles',
  '/api/i18n/locales',
  '/api/nothing',
];

const articles = (args, fields) =>
  `{ articles(${args}) { data { id attributes { ${fields} } } meta { pagination { total } } } }`;
const graphqlQueries = [
  articles('sort: "id"', 'title slug views price day at extra'),
  articles('sort: "title:desc", locale: "all"', 'title locale localizations { data { id } }'),
  articles('publicationState: PREVIEW, sort: "id"', 'title publishedAt'),
  articles('filters: { author: { name: { contains: "Z" } } }', 'title author { data { attributes { name } } }'),
  articles('pagination: { page: 2, pageSize: 3 }, sort: "id"', 'title'),
  articles('sort: "id"', 'cover { data { attributes { name url } } } quotes { text source { data { id } } }'),
  articles(
    'sort: "id"',
    'parts { __typename ... on ComponentBlocksQuote { text } ... on ComponentBlocksText { text } }',
  ),
  ...ids.slice(0, 4).map((id) => `{ article(id: ${id}) { data { id attributes { title body } } } }`),
  '{ authors(sort: "name") { data { id attributes { name articles { data { id } } } } } }',
  '{ homepage { data { attributes { headline top { data { id } } } } } }',
  '{ titel }',
];

/** Every request, by a name. */
export const requests = new Map([
  ...restPaths.map((where) => [`GET ${where}`, ['GET', where]]),
  ...graphqlQueries.map((query) => [`GraphQL ${query}`, ['POST', '/graphql', { query }]]),
]);
