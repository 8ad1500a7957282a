import { expect } from '@jest/globals';

/** Those who write requests to the service: each acknowledges a write when the caches have purged what it changed. */
export interface Editor {
  /** @throws if the service dies */
  write(): Promise<void>;
}

// oxlint-disable-next-line typescript/no-explicit-any
export type Ask = (method: string, address: string, body?: object | FormData) => Promise<any>;

/** Entries of each type at the start, with ids from 1. */
const sizes = { articles: 100, authors: 20, tags: 12, categories: 10 };
type Collection = keyof typeof sizes;
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);
const data = (values: object): object => ({ data: values });

/** The permissions of the public in access.json. */
export const publicActions = [
  ...['article', 'author', 'category', 'tag'].flatMap((name) =>
    ['find', 'findOne'].map((action) => `api::${name}.${name}.${action}`),
  ),
  'api::homepage.homepage.find',
  'plugin::upload.content-api.find',
];

const graphql = (query: string): string => `/graphql?query=${encodeURIComponent(query)}`;
const titles = 'data { id attributes { title author { data { attributes { name } } } } }';

/** What readers ask for: lists with related entries, and entries. */
export const addresses: readonly string[] = [
  '/api/homepage?populate[highlights][populate]=author,cover&populate[seo]=*',
  ...upTo(sizes.articles / 10).map(
    (page) => `/api/articles?populate=*&pagination[page]=${page}&pagination[pageSize]=10`,
  ),
  '/api/articles?sort=publishedAt:desc&pagination[pageSize]=5&populate=author',
  '/api/articles?sort=rating:desc&pagination[pageSize]=5&fields[0]=title&fields[1]=rating',
  '/api/articles?filters[featured]=true&populate=cover,seo&pagination[withCount]=false',
  '/api/articles?locale=fr&populate=localizations',
  ...upTo(sizes.categories).map((id) => `/api/articles?filters[category][id]=${id}&populate[author][fields]=name`),
  ...upTo(sizes.tags).map((id) => `/api/tags/${id}?populate[articles][fields]=title`),
  ...upTo(sizes.authors).map((id) => `/api/authors/${id}?populate[articles][populate]=category`),
  ...upTo(sizes.categories).map((id) => `/api/categories/${id}?populate=parent,children`),
  '/api/authors?sort=name&populate=address',
  '/api/tags?sort=name&populate[articles][count]=true',
  '/api/categories?populate[children][populate]=parent',
  '/api/upload/files?sort=id',
  graphql(`{ articles(sort: "title", pagination: { pageSize: 5 }) { ${titles} } }`),
  graphql(`{ articles(filters: { tags: { name: { eq: "Tag 1" } } }) { ${titles} } }`),
  ...upTo(sizes.articles).map((id) => `/api/articles/${id}?populate=*`),
];

/** Creates the entries. */
export async function build(ask: Ask): Promise<void> {
  const create = async (collection: Collection, values: (id: number) => object): Promise<void> => {
    const operations = upTo(sizes[collection]).map((id) => ({ create: collection, data: values(id) }));
    await ask('POST', '/api/batch', { operations });
  };
  await create('authors', (id) => ({ name: `Author ${id}`, address: { city: `City ${id}` } }));
  await create('tags', (id) => ({ name: `Tag ${id}` }));
  await create('categories', (id) => ({ name: `Category ${id}` }));
  await ask('PUT', '/api/categories/1', data({ children: upTo(sizes.categories).slice(2) }));
  await ask('POST', '/api/upload', file('First'));
  await create('articles', (id) => ({
    title: `Article ${id}`,
    rating: (id % 50) / 10,
    featured: id % 8 === 0,
    author: 1 + (id % sizes.authors),
    category: 1 + (id % sizes.categories),
    tags: [1 + (id % sizes.tags)],
    cover: 1,
    links: [{ label: 'More', url: '/more' }],
  }));
  await ask('PUT', '/api/homepage', data({ title: 'Home', highlights: [1, 2, 3], publishedAt: new Date() }));
}

function file(text: string): FormData {
  const form = new FormData();
  form.set('files', new Blob([text], { type: 'text/plain' }), 'note.txt');
  return form;
}

/** Someone who changes entries, and creates and deletes own ones. @param random numbers from 0 to below 1 */
export function createEditor(name: string, random: () => number, ask: Ask): Editor {
  let count = 0;
  const own: number[] = [];
  const unpublished: number[] = [];
  const idOf = (collection: Collection): number => 1 + Math.floor(random() * sizes[collection]);
  const article = (values: object) => ask('PUT', `/api/articles/${idOf('articles')}`, data(values));
  const text = (): string => `${name} ${count}`;
  const create = async (values: object): Promise<void> => {
    const made = await ask('POST', '/api/articles', data({ title: text(), author: idOf('authors'), ...values }));
    own.push(made.data.id);
  };
  /** How often each happens, and what it is. */
  const writes: readonly (readonly [share: number, write: () => Promise<unknown>])[] = [
    [28, () => article({ summary: `About ${text()}`, body: text() })],
    [8, () => article({ title: text() })],
    [4, () => article({ views: count, internalNote: text() })],
    [2, () => article({ rating: Math.floor(random() * 50) / 10 })],
    [6, () => article({ links: [{ label: text(), url: '/there' }] })],
    [4, () => article({ blocks: [{ __component: 'blocks.text', body: text() }] })],
    [2, () => article({ seo: { metaTitle: text() } })],
    [3, () => article({ featured: random() < 0.2 })],
    [4, () => article({ category: idOf('categories') })],
    [3, () => article({ author: idOf('authors'), tags: [idOf('tags')] })],
    [2, () => article({ cover: random() < 0.5 ? 1 : null })],
    [
      3,
      () => {
        const id = unpublished.pop();
        if (id !== undefined) return ask('PUT', `/api/articles/${id}`, data({ publishedAt: new Date() }));
        unpublished.push(idOf('articles'));
        return ask('PUT', `/api/articles/${unpublished[0]}`, data({ publishedAt: null }));
      },
    ],
    [3, () => ask('PUT', `/api/authors/${idOf('authors')}`, data({ articles: { connect: [idOf('articles')] } }))],
    [3, () => ask('PUT', `/api/authors/${idOf('authors')}`, data({ bio: text() }))],
    [3, () => ask('PUT', `/api/authors/${idOf('authors')}`, data({ address: { city: text() } }))],
    [2, () => ask('PUT', `/api/tags/${idOf('tags')}`, data({ articles: [idOf('articles'), idOf('articles')] }))],
    [3, () => ask('PUT', `/api/tags/${idOf('tags')}`, data({ color: random() < 0.5 ? 'red' : 'blue' }))],
    [2, () => ask('PUT', `/api/categories/${idOf('categories')}`, data({ name: text() }))],
    [1, () => ask('PUT', `/api/categories/${idOf('categories')}`, data({ children: { connect: [5] } }))],
    [2, () => ask('PUT', '/api/homepage', data({ title: text(), highlights: [idOf('articles'), idOf('articles')] }))],
    [1, () => ask('POST', '/api/upload', file(text()))],
    [2, () => create({ publishedAt: new Date() })],
    [3, () => create({ publishedAt: null })],
    [
      3,
      async () => {
        const id = own.pop();
        await (id === undefined ? create({}) : ask('DELETE', `/api/articles/${id}`));
      },
    ],
    [
      1,
      async () => {
        const id = own.shift();
        if (id === undefined) return create({});
        return ask('POST', `/api/articles/${id}/localizations`, {
          locale: 'fr',
          title: text(),
          publishedAt: new Date(),
        });
      },
    ],
    [
      1,
      () =>
        ask('POST', '/api/batch', {
          operations: [
            { update: 'articles', id: idOf('articles'), data: { title: text() } },
            { update: 'authors', id: idOf('authors'), data: { name: text() } },
          ],
        }),
    ],
  ];
  const total = writes.reduce((sum, [share]) => sum + share, 0);
  return {
    write: async () => {
      count += 1;
      let left = random() * total;
      const chosen = writes.find(([share]) => (left -= share) < 0);
      expect(chosen).toBeDefined();
      await chosen?.[1]();
    },
  };
}
