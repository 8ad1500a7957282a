import { beforeAll, describe, expect, test } from '@jest/globals';
import { commandsOf } from '../../../support/commands.js';
import { useService } from '../../../support/service.js';

const client = useService();
const { create, graphql } = client;
const ids: Record<string, number> = {};

beforeAll(async () => {
  ids['ada'] = await create('authors', { name: 'Ada', address: { city: 'Leeds' } });
  ids['ben'] = await create('authors', { name: 'Ben' });
  ids['red'] = await create('tags', { name: 'Red' });
  ids['blue'] = await create('tags', { name: 'Blue' });
  ids['first'] = await create('articles', {
    title: 'First',
    ts: '2024-02-29T12:00:00.000Z',
    bignum: '9223372036854775807',
    kind: 'how-to',
    secret: 'hush',
    author: ids['ada'],
    tags: [ids['blue'], ids['red']],
    links: [
      { label: 'one', priority: 2 },
      { label: 'two', priority: 1 },
    ],
    blocks: [
      { __component: 'blocks.quote', text: 'To be', source: ids['ben'] },
      {
        __component: 'blocks.promo',
        title: 'Promo',
        items: [
          { label: 'a', priority: 1 },
          { label: 'b', priority: 2 },
        ],
      },
      { __component: 'blocks.text', content: 'Text' },
    ],
  });
  ids['draft'] = await create('articles', { title: 'Draft', author: ids['ada'], publishedAt: null });
  ids['second'] = await create('articles', {
    title: 'Second',
    author: ids['ada'],
    related: [ids['first'], ids['draft']],
  });
  ids['page'] = await create('pages', {
    title: 'Start',
    path: '/',
    featuredArticle: ids['draft'],
    hero: { label: 'hero' },
    layout: [{ __component: 'blocks.text', content: 'c' }],
  });
  ids['comment'] = await create('comments', {
    text: 'Well',
    subject: { __type: 'api::article.article', id: ids['first'] },
  });
  ids['bookmark'] = await create('bookmarks', {
    label: 'both',
    items: [
      { __type: 'api::article.article', id: ids['second'] },
      { __type: 'api::tag.tag', id: ids['red'] },
    ],
  });
  ids['empty'] = await create('bookmarks', { label: 'empty' });
});

/** Returns the data of a query without errors. */
async function dataOf(query: string, variables: object = {}) {
  const { body } = await graphql(query, variables);
  expect(body.errors).toBeUndefined();
  return body.data;
}
const article = (selection: string) => `{ article(id: ${ids['first']}) { data { attributes { ${selection} } } } }`;
const attributesOf = async (selection: string) => (await dataOf(article(selection))).article.data.attributes;

describe('a root field', () => {
  const deep = `articles(sort: "id") { data { id attributes { title
    author { data { attributes { name articles { data { attributes { tags { data { attributes { name } } } } } } } } }
    blocks { ... on ComponentBlocksQuote { source { data { attributes { articles { data { id } } } } } } }
    links(filters: { label: { eq: "one" } }) { label }
  } } }`;

  test('sends one command at any depth', async () => {
    expect(await commandsOf(client.service, () => dataOf(`{ ${deep} }`))).toEqual(['aggregate']);
  });

  test('sends one command per alias', async () => {
    const query = `{ ${deep} tags(sort: "name") { data { id } } page(id: ${ids['page']}) { data { attributes { hero { label } } } } }`;
    const commands = await commandsOf(client.service, () => dataOf(query));
    expect(commands.toSorted()).toEqual(['aggregate', 'find', 'find']);
  });

  test('counts once, and only if the total is selected', async () => {
    const counted =
      '{ articles(filters: { title: { ne: "x" } }, pagination: { limit: 1 }) { data { id } meta { pagination { total pageCount } } } }';
    const commands = await commandsOf(client.service, () => dataOf(counted));
    expect(commands.toSorted()).toEqual(['aggregate', 'find', 'versions']);
    const again = await commandsOf(client.service, () => dataOf(counted));
    expect(again.toSorted()).toEqual(['find', 'versions']);
    expect(await dataOf(counted)).toMatchObject({ articles: { meta: { pagination: { total: 2, pageCount: 2 } } } });
  });

  test('reads ids first, with one command per filtered relation, until their type is written', async () => {
    const query = '{ articles(filters: { author: { name: { eq: "Ada" } } }, sort: "id") { data { id } } }';
    const sent = () => commandsOf(client.service, () => dataOf(query));
    expect(await sent()).toEqual(['versions', 'find', 'find']);
    expect(await sent()).toEqual(['versions', 'find']);
  });
});

describe('one relation under several aliases', () => {
  test('returns the selection of each alias', async () => {
    const { author } = await attributesOf(`author { data { attributes {
      old: articles(sort: "title:desc", pagination: { limit: 1 }) { data { attributes { title } } }
      articles(publicationState: PREVIEW, sort: "id") { data { id } }
      second: articles(filters: { title: { eq: "Second" } }) { data { attributes { t: title } } }
    } } }`);
    expect(author.data.attributes).toEqual({
      old: { data: [{ attributes: { title: 'Second' } }] },
      articles: { data: [ids['first'], ids['draft'], ids['second']].map((id) => ({ id: String(id) })) },
      second: { data: [{ attributes: { t: 'Second' } }] },
    });
  });

  test('can have the name of another attribute as alias', async () => {
    const { title, name, author } = await attributesOf(
      'title: author { data { attributes { name } } } name: title author: kind',
    );
    expect({ title, name, author }).toEqual({
      title: { data: { attributes: { name: 'Ada' } } },
      name: 'First',
      author: 'how_to',
    });
  });

  test('filters and sorts components per alias, also in zones', async () => {
    const read = await attributesOf(`
      one: links(filters: { label: { eq: "one" } }) { label }
      links(sort: "priority") { label }
      last: links(pagination: { start: 1 }) { label priority }
      blocks { ... on ComponentBlocksPromo { a: items(filters: { label: { eq: "a" } }) { label } items(sort: "priority:desc") { label } } }
    `);
    expect(read).toEqual({
      one: [{ label: 'one' }],
      links: [{ label: 'two' }, { label: 'one' }],
      last: [{ label: 'two', priority: 1 }],
      blocks: [{}, { a: [{ label: 'a' }], items: [{ label: 'b' }, { label: 'a' }] }, {}],
    });
  });

  test('merges selections of several fragments', async () => {
    const query = `
      { article(id: ${ids['first']}) { data { ...A attributes { author { data { attributes { name } } } } } other: data { ...A } } }
      fragment A on ArticleEntity { attributes { author { data { id } } } }
    `;
    const author = { data: { id: String(ids['ada']) } };
    expect(await dataOf(query)).toEqual({
      article: {
        data: { attributes: { author: { data: { ...author.data, attributes: { name: 'Ada' } } } } },
        other: { attributes: { author } },
      },
    });
  });
});

describe('values', () => {
  test('are exact, and enum values are names', async () => {
    expect(
      await attributesOf('ts bignum kind secret seo { metaTitle } cover { data { id } } gallery { data { id } }'),
    ).toEqual({
      ts: '2024-02-29T12:00:00.000Z',
      bignum: '9223372036854775807',
      kind: 'how_to',
      secret: null,
      seo: null,
      cover: { data: null },
      gallery: { data: [] },
    });
  });
});

describe('drafts', () => {
  test('are returned by to-one relations, and by lists with publicationState PREVIEW', async () => {
    const { pages } = await dataOf(
      '{ pages { data { attributes { featuredArticle { data { attributes { title } } } } } } }',
    );
    expect(pages.data[0].attributes.featuredArticle.data.attributes.title).toBe('Draft');
    const related = 'related { data { attributes { title } } } all: related(publicationState: PREVIEW) { data { id } }';
    const { articles } = await dataOf(
      `{ articles(filters: { title: { eq: "Second" } }) { data { attributes { ${related} } } } }`,
    );
    const [{ attributes }] = articles.data;
    expect(attributes.related.data).toEqual([{ attributes: { title: 'First' } }]);
    expect(attributes.all.data).toHaveLength(2);
  });
});

describe('morph relations', () => {
  test('return the type of their targets', async () => {
    const { comments } = await dataOf(
      '{ comments { data { attributes { subject { __typename ... on Article { title tags { data { id } } } } } } } }',
    );
    expect(comments.data[0].attributes.subject).toEqual({
      __typename: 'Article',
      title: 'First',
      tags: { data: [{ id: String(ids['blue']) }, { id: String(ids['red']) }] },
    });
  });

  test('to many keep their order, and are empty lists without targets', async () => {
    const { bookmarks } = await dataOf(
      '{ bookmarks(sort: "id") { data { attributes { items { ... on Article { title } ... on Tag { name } } } } } }',
    );
    const items = bookmarks.data.map((one: { attributes: { items: unknown } }) => one.attributes.items);
    expect(items).toEqual([[{ title: 'Second' }, { name: 'Red' }], []]);
  });
});

test('an error in a nested list has its path, and the rest is returned', async () => {
  const { body } = await graphql(
    article('title tags(sort: "nope") { data { id } } links(sort: "nope") { label } author { data { id } }'),
  );
  expect(body.errors.map(({ message }: Error) => message)).toEqual([
    'Invalid parameter nope',
    'Invalid parameter nope',
  ]);
  expect(body.data.article.data.attributes).toEqual({
    title: 'First',
    tags: null,
    links: null,
    author: { data: { id: String(ids['ada']) } },
  });
});
