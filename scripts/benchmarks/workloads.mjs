import { article, authorName, firstNames, kinds, lastNames } from './world.mjs';

/**
 * The measured workloads. `service` and `limit` return equal requests for each program, as `{ path, body? }`, varied so
 * that no response comes twice in a row; `counts`: the response has a total; `writes`: the data grows.
 */
const variants = 64;
const vary = (make) => Array.from({ length: variants }, (_, index) => make(index));

/** Stands in a body for a number that was never used before. */
export const freshNumber = '{{fresh}}';

export const articles = (query) => ({ path: `/api/articles?${encodeBrackets(query)}` });
/** As clients send them. */
const encodeBrackets = (query) => query.replaceAll('[', '%5B').replaceAll(']', '%5D');

const pages = 40;
const startOf = (index, size, count) => size * (index % Math.max(1, Math.min(pages, Math.floor(count / size))));
const slice = (index, size, count) => `pagination[start]=${startOf(index, size, count)}&pagination[limit]=${size}`;

const everyPart =
  'populate[author]=true&populate[category][populate][parent]=true&populate[tags]=true&populate[seo]=true' +
  '&populate[links]=true&populate[blocks][populate]=*';

const ranges = vary((index) => ({
  kind: kinds[index % kinds.length],
  from: 10_000 + 500 * index,
  to: 50_000 + 500 * index,
}));

const names = vary((index) =>
  index % 2 === 0
    ? ['$eq', authorName(1 + ((index * 37) % 200))]
    : ['$contains', [...lastNames, ...firstNames][index % 30].slice(0, 3)],
);

const newArticles = vary((index) => {
  const { id: _, createdAt: _c, updatedAt: _u, publishedAt: _p, title, slug, blocks, ...rest } = article(index + 1);
  const data = {
    ...rest,
    title: `${title} ${freshNumber}`,
    slug: `${slug}-${freshNumber}`,
    blocks: blocks.map(({ component, ...values }) => Object.assign({ __component: `bench.${component}` }, values)),
  };
  return { path: '/api/articles', body: JSON.stringify({ data }) };
});

/** A hundred entries with all that they lead to. */
export const longList = articles(`pagination[limit]=100&${everyPart}`);

/** One entry, and what every list begins with: 25 entries that an index finds in their order, and their total. */
export const firstPages = {
  'one entry': vary((index) => ({ path: `/api/articles/${1 + ((index * 149) % 1000)}` })),
  'a list by id': [articles('pagination[start]=0&pagination[limit]=25')],
  'a list filtered and sorted': kinds.map((kind) =>
    articles(`filters[kind]=${kind}&sort=views:desc&pagination[start]=0&pagination[limit]=25`),
  ),
};

const one = (fields) => `{ data { id attributes { ${fields} } } }`;
const person = one('name email bio createdAt updatedAt');
const category = 'name slug createdAt updatedAt';
const tags = `tags(pagination: { limit: 100 }) ${one('name color createdAt updatedAt')}`;
const plain = 'title slug body kind views rating createdAt updatedAt publishedAt';
const shallow = `${plain} author ${person} category ${one(category)} ${tags}`;
const deep = `${plain} author ${person} category ${one(`${category} parent ${one(category)}`)} ${tags}
  seo { id metaTitle metaDescription noIndex } links { id label url external }
  blocks { __typename ... on ComponentBenchText { id heading content }
    ... on ComponentBenchQuote { id quote: text source ${person} } ... on ComponentBenchPromo { id title url } }`;

function graphqlPages(size, count, fields) {
  const query = `query ($start: Int, $limit: Int) { articles(pagination: { start: $start, limit: $limit }) {
    data { id attributes { ${fields} } } meta { pagination { page pageSize pageCount total } } } }`;
  return vary((index) => {
    const variables = { start: startOf(index, size, count), limit: size };
    return { path: '/graphql', body: JSON.stringify({ query, variables }) };
  });
}

export const workloads = {
  W1: {
    service: (count) => vary((index) => ({ path: `/api/articles/${1 + ((index * 149) % count)}` })),
    limit: (count) => vary((index) => ({ path: `/one?id=${1 + ((index * 149) % count)}` })),
  },
  W2: {
    counts: true,
    service: (count) => vary((index) => articles(slice(index, 25, count))),
    limit: (count) => vary((index) => ({ path: `/list?start=${startOf(index, 25, count)}` })),
  },
  W3: {
    counts: true,
    service: () =>
      ranges.map(({ kind, from, to }) =>
        articles(
          `filters[kind]=${kind}&filters[views][$gte]=${from}&filters[views][$lt]=${to}&sort=views:desc&pagination[start]=0&pagination[limit]=25`,
        ),
      ),
    limit: () => ranges.map(({ kind, from, to }) => ({ path: `/filtered?kind=${kind}&from=${from}&to=${to}` })),
  },
  W4: {
    counts: true,
    service: (count) =>
      vary((index) => articles(`${slice(index, 25, count)}&populate[0]=author&populate[1]=category&populate[2]=tags`)),
    limit: (count) => vary((index) => ({ path: `/related?start=${startOf(index, 25, count)}` })),
  },
  W5: {
    counts: true,
    service: (count) => vary((index) => articles(`${slice(index, 10, count)}&${everyPart}`)),
    limit: (count) => vary((index) => ({ path: `/deep?start=${startOf(index, 10, count)}` })),
  },
  W6: {
    counts: true,
    service: () =>
      names.map(([operator, name]) =>
        articles(
          `filters[author][name][${operator}]=${encodeURIComponent(name)}&sort=id&pagination[start]=0&pagination[limit]=25`,
        ),
      ),
    limit: () =>
      names.map(([operator, name]) => ({ path: `/by-author?${operator.slice(1)}=${encodeURIComponent(name)}` })),
  },
  W7: {
    writes: true,
    service: () => newArticles,
    limit: () => newArticles.map(({ body }) => ({ path: '/create', body })),
  },
  W8: {
    counts: true,
    service: (count) => graphqlPages(25, count, shallow),
    limit: (count) => workloads.W4.limit(count),
  },
  W9: {
    counts: true,
    service: (count) => graphqlPages(10, count, deep),
    limit: (count) => workloads.W5.limit(count),
  },
};
