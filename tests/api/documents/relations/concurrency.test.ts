import { expect, test } from '@jest/globals';
import { useService, type Answer } from '../../../support/service.js';
import { createMany, related } from './related.js';
import { scaled } from '../../../support/scaled.js';

const client = useService();
const { create, put, post, delete: remove } = client;
const CLIENTS = scaled(16, 50);

/** Numbers that look random, and are the same in each run. */
function numbers(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state >>> 8;
  };
}

type Send = (next: () => number) => Promise<Answer>;

/** Lets all clients send so many requests each, at the same time. Gives the statuses of the answers. */
async function race(each: number, send: Send): Promise<ReadonlySet<number>> {
  const statuses = new Set<number>();
  const one = async (seed: number): Promise<void> => {
    const next = numbers(seed);
    for (let count = 0; count < each; count += 1) statuses.add((await send(next)).status);
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, index) => one(index + 1)));
  return statuses;
}

const pick = <T>(list: readonly T[], next: () => number): T => list[next() % list.length] as T;

/** The pairs that a list of entries leads to, each as `a b`, sorted. */
async function pairs(
  collection: string,
  ids: readonly number[],
  name: string,
  turn: boolean,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const id of ids) {
    const others = [(await related(client, `/api/${collection}/${id}`, name)) ?? []].flat();
    expect(new Set(others).size).toBe(others.length);
    found.push(...others.map((other) => (turn ? `${other} ${id}` : `${id} ${other}`)));
  }
  return found.toSorted();
}

test('both sides of a many-to-many relation agree after concurrent writes from both sides', async () => {
  const tags = await createMany(client, 'tags', 4, (index) => ({ name: `Tag ${index}` }));
  const articles = await createMany(client, 'articles', 4, (index) => ({ title: `Article ${index}` }));
  const statuses = await race(12, (next) => {
    const [tag, article] = [pick(tags, next), pick(articles, next)];
    const forms: readonly (() => Promise<Answer>)[] = [
      () => put(`/api/articles/${article}`, { tags: { connect: [tag] } }),
      () => put(`/api/articles/${article}`, { tags: { connect: [{ id: tag, position: { start: true } }] } }),
      () => put(`/api/articles/${article}`, { tags: { disconnect: [tag] } }),
      () => put(`/api/articles/${article}`, { tags: [tag, pick(tags, next)] }),
      () => put(`/api/tags/${tag}`, { articles: { connect: [article] } }),
      () => put(`/api/tags/${tag}`, { articles: { connect: [{ id: article, position: { start: true } }] } }),
      () => put(`/api/tags/${tag}`, { articles: { disconnect: [article] } }),
      () => put(`/api/tags/${tag}`, { articles: [article, pick(articles, next)] }),
    ];
    return pick(forms, next)();
  });
  expect([...statuses]).toEqual([200]);
  const one = await pairs('articles', articles, 'tags', false);
  expect(one).toEqual(await pairs('tags', tags, 'articles', true));
});

test('entries of an exclusive relation have at most one owner after concurrent takeovers', async () => {
  const cards = await createMany(client, 'seo-cards', 3, (index) => ({ headline: `Card ${index}` }));
  const articles = await createMany(client, 'articles', 4, (index) => ({ title: `Holder ${index}` }));
  const authors = await createMany(client, 'authors', 3, (index) => ({ name: `Author ${index}` }));
  const statuses = await race(12, (next) => {
    const [card, article, author] = [pick(cards, next), pick(articles, next), pick(authors, next)];
    const forms: readonly (() => Promise<Answer>)[] = [
      () => put(`/api/articles/${article}`, { seoCard: card, author }),
      () => put(`/api/seo-cards/${card}`, { article }),
      () => put(`/api/seo-cards/${card}`, { article: { disconnect: [article] } }),
      () => put(`/api/authors/${author}`, { articles: [article, pick(articles, next)] }),
      () => put(`/api/authors/${author}`, { articles: { connect: [article] } }),
      () => put(`/api/articles/${article}`, { author: null }),
    ];
    return pick(forms, next)();
  });
  expect([...statuses]).toEqual([200]);
  const held = await pairs('articles', articles, 'seoCard', false);
  expect(held).toEqual(await pairs('seo-cards', cards, 'article', true));
  expect(new Set(held.map((pair) => pair.split(' ')[1])).size).toBe(held.length);
  expect(await pairs('articles', articles, 'author', false)).toEqual(await pairs('authors', authors, 'articles', true));
});

test('concurrent deletes leave no references to deleted entries', async () => {
  const tags = [...(await createMany(client, 'tags', 4, (index) => ({ name: `Doomed ${index}` })))];
  const authors = [...(await createMany(client, 'authors', 4, (index) => ({ name: `Doomed ${index}` })))];
  const articles = await createMany(client, 'articles', 4, (index) => ({ title: `Survivor ${index}` }));
  let names = 0;
  const statuses = await race(12, async (next) => {
    const [tag, author, article] = [pick(tags, next), pick(authors, next), pick(articles, next)];
    const quote = { __component: 'blocks.quote', text: 'q', source: author, mentions: [tag] };
    /** Others go on writing the one that is deleted, until it is replaced. */
    const replace = async (collection: string, list: number[]): Promise<Answer> => {
      const gone = pick(list, next);
      const answer = await remove(`/api/${collection}/${gone}`);
      const fresh = await create(collection, { name: `New ${(names += 1)}` });
      if (list.includes(gone)) list.splice(list.indexOf(gone), 1, fresh);
      return answer;
    };
    const forms: readonly (() => Promise<Answer>)[] = [
      () => put(`/api/articles/${article}`, { tags: { connect: [tag] }, author }),
      () => put(`/api/articles/${article}`, { blocks: [quote] }),
      () => put(`/api/tags/${tag}`, { articles: { connect: [article] } }),
      () => put(`/api/authors/${author}`, { articles: [article] }),
      () => post('/api/comments', { text: 't', subject: { __type: 'api::author.author', id: author } }),
      () => replace('tags', tags),
      () => replace('authors', authors),
    ];
    return pick(forms, next)();
  });
  // A deleted entry is not found, or is not a target; the stored data is checked at the end of this file.
  for (const status of statuses) expect([200, 400, 404]).toContain(status);
  expect(await pairs('articles', articles, 'tags', false)).toEqual(await pairs('tags', tags, 'articles', true));
  expect(await pairs('articles', articles, 'author', false)).toEqual(await pairs('authors', authors, 'articles', true));
});
