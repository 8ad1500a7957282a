import { describe, expect, test } from '@jest/globals';
import { useService } from '../../../support/service.js';
import { createMany, related } from './related.js';

const client = useService();
const { create, put, delete: remove } = client;
const title = (index: number): object => ({ title: `Article ${index}` });

describe('a one-to-one relation', () => {
  const holders = (count: number) => createMany(client, 'articles', count, title);
  const cards = (count: number) => createMany(client, 'seo-cards', count, (index) => ({ headline: `Card ${index}` }));

  test('moves an entry from its former owner to a new or existing entry', async () => {
    const [card] = await cards(1);
    const [first, second] = await holders(2);
    await put(`/api/articles/${first}`, { seoCard: card });
    await put(`/api/articles/${second}`, { seoCard: { connect: [card] } });
    expect(await related(client, `/api/articles/${first}`, 'seoCard')).toBeNull();
    expect(await related(client, `/api/seo-cards/${card}`, 'article')).toBe(second);
    const third = await create('articles', { title: 'Third', seoCard: card });
    expect(await related(client, `/api/articles/${second}`, 'seoCard')).toBeNull();
    expect(await related(client, `/api/seo-cards/${card}`, 'article')).toBe(third);
  });

  test('takes an entry from the inverse side and releases the previous one', async () => {
    const [card, spare] = await cards(2);
    const [first, second] = await holders(2);
    await put(`/api/articles/${first}`, { seoCard: card });
    await put(`/api/seo-cards/${card}`, { article: second });
    expect(await related(client, `/api/articles/${first}`, 'seoCard')).toBeNull();
    expect(await related(client, `/api/articles/${second}`, 'seoCard')).toBe(card);
    await put(`/api/seo-cards/${spare}`, { article: { connect: [second] } });
    expect(await related(client, `/api/articles/${second}`, 'seoCard')).toBe(spare);
    expect(await related(client, `/api/seo-cards/${card}`, 'article')).toBeNull();
    const fresh = (await client.post('/api/seo-cards', { headline: 'Fresh', article: second })).body.data.id;
    expect(await related(client, `/api/articles/${second}`, 'seoCard')).toBe(fresh);
    expect(await related(client, `/api/seo-cards/${spare}`, 'article')).toBeNull();
  });

  test('a write that takes an entry is refused with the unique value that another one has', async () => {
    const [card] = await cards(1);
    const [first, second] = await holders(2);
    await put(`/api/articles/${first}`, { seoCard: card, code: 'taken' });
    const data = { title: 'Refused', seoCard: card, code: 'taken' };
    for (const { status, body } of [
      await client.post('/api/articles', data),
      await put(`/api/articles/${second}`, data),
    ])
      expect([status, body.error?.message]).toEqual([400, 'This attribute must be unique']);
    expect(await related(client, `/api/seo-cards/${card}`, 'article')).toBe(first);
  });

  test('uses the last of several ids and takes only that entry', async () => {
    const [first, second] = await cards(2);
    const [one, two, three] = await holders(3);
    await put(`/api/articles/${one}`, { seoCard: first });
    await put(`/api/articles/${two}`, { seoCard: [first, second] });
    expect(await related(client, `/api/articles/${one}`, 'seoCard')).toBe(first);
    expect(await related(client, `/api/articles/${two}`, 'seoCard')).toBe(second);
    await put(`/api/seo-cards/${first}`, { article: [two, three] });
    expect(await related(client, `/api/articles/${one}`, 'seoCard')).toBeNull();
    expect(await related(client, `/api/articles/${two}`, 'seoCard')).toBe(second);
    expect(await related(client, `/api/articles/${three}`, 'seoCard')).toBe(first);
  });

  test.each([
    ['disconnect', (id: number) => ({ disconnect: [id] })],
    ['null', () => null],
    ['an empty list', () => []],
  ])('is released from the inverse side with %s', async (_, written) => {
    const [card] = await cards(1);
    const [article = 0] = await holders(1);
    await put(`/api/articles/${article}`, { seoCard: card });
    await put(`/api/seo-cards/${card}`, { article: written(article) });
    expect(await related(client, `/api/articles/${article}`, 'seoCard')).toBeNull();
  });

  test('ignores a disconnect of another entry', async () => {
    const [card] = await cards(1);
    const [article, other] = await holders(2);
    await put(`/api/articles/${article}`, { seoCard: card });
    await put(`/api/seo-cards/${card}`, { article: { disconnect: [other] } });
    expect(await related(client, `/api/articles/${article}`, 'seoCard')).toBe(card);
  });

  test('loses a deleted entry', async () => {
    const [card] = await cards(1);
    const [article] = await holders(1);
    await put(`/api/articles/${article}`, { seoCard: card });
    await remove(`/api/seo-cards/${card}`);
    expect(await related(client, `/api/articles/${article}`, 'seoCard')).toBeNull();
  });
});

describe('a one-to-many relation', () => {
  test('moves entries from their former owner, whose other entries keep their positions', async () => {
    const articles = await createMany(client, 'articles', 4, title);
    const [first, second] = await createMany(client, 'authors', 2, (index) => ({ name: `Author ${index}` }));
    await put(`/api/authors/${first}`, { articles });
    await put(`/api/authors/${second}`, { articles: { connect: [articles[2], articles[0]] } });
    expect(await related(client, `/api/authors/${first}`, 'articles')).toEqual([articles[1], articles[3]]);
    expect(await related(client, `/api/authors/${second}`, 'articles')).toEqual([articles[2], articles[0]]);
    await put(`/api/articles/${articles[2]}`, { author: first });
    expect(await related(client, `/api/authors/${first}`, 'articles')).toEqual([articles[1], articles[3], articles[2]]);
    expect(await related(client, `/api/authors/${second}`, 'articles')).toEqual([articles[0]]);
  });
});

describe('a one-way relation', () => {
  test('takes nothing: several entries may refer to the same entry, to-many and to-one', async () => {
    const [target, ...others] = await createMany(client, 'articles', 3, title);
    for (const id of others) await put(`/api/articles/${id}`, { related: [target] });
    for (const id of others) expect(await related(client, `/api/articles/${id}`, 'related')).toEqual([target]);
    const pages = await createMany(client, 'pages', 2, (index) => ({
      title: 'Page',
      path: `/page-${index}`,
      hero: { label: 'h' },
      featuredArticle: target,
    }));
    for (const id of pages) expect(await related(client, `/api/pages/${id}`, 'featuredArticle')).toBe(target);
  });
});

describe('a relation of a type to itself', () => {
  const name = (index: number): object => ({ name: `Category ${index}` });

  test('can refer to its own entry', async () => {
    const [root = 0, child] = await createMany(client, 'categories', 2, name);
    await put(`/api/categories/${root}`, { children: [child, root] });
    expect(await related(client, `/api/categories/${root}`, 'parent')).toBe(root);
    expect(await related(client, `/api/categories/${root}`, 'children')).toEqual([child, root]);
    await put(`/api/categories/${root}`, { parent: null });
    expect(await related(client, `/api/categories/${root}`, 'children')).toEqual([child]);
    await remove(`/api/categories/${root}`);
    expect(await related(client, `/api/categories/${child}`, 'parent')).toBeNull();
  });

  test('accepts both sides in one write', async () => {
    const [top, middle, bottom] = await createMany(client, 'categories', 3, name);
    await put(`/api/categories/${middle}`, { parent: top, children: [bottom] });
    expect(await related(client, `/api/categories/${top}`, 'children')).toEqual([middle]);
    expect(await related(client, `/api/categories/${bottom}`, 'parent')).toBe(middle);
  });

  test('of a new entry cannot refer to it, but can be on both sides of others', async () => {
    const page = { title: 'Page', hero: { label: 'h' } };
    const [first, second] = [
      await create('pages', { ...page, path: '/self-1' }),
      await create('pages', { ...page, path: '/self-2' }),
    ];
    const third = await create('pages', {
      ...page,
      path: '/self-3',
      relatedPages: [second],
      relatedFrom: [second, first],
    });
    expect(await related(client, `/api/pages/${second}`, 'relatedPages')).toEqual([third]);
    expect(await related(client, `/api/pages/${second}`, 'relatedFrom')).toEqual([third]);
    await put(`/api/pages/${third}`, { relatedPages: { connect: [third] } });
    expect(await related(client, `/api/pages/${third}`, 'relatedPages')).toEqual([second, third]);
    expect(await related(client, `/api/pages/${third}`, 'relatedFrom')).toEqual([second, first, third]);
    await remove(`/api/pages/${third}`);
    expect(await related(client, `/api/pages/${first}`, 'relatedPages')).toEqual([]);
  });
});
