import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { commandsOf } from '../../support/commands.js';
import { useService, type Answer, type Client } from '../../support/service.js';

const corpus = useService();
const notes = useService({ contentTypes: 'tests/fixtures/pages', environment: { NODE_ENV: 'development' } });

/** All pages of a list, each after the one before. */
async function walk({ get }: Client, path: string): Promise<readonly Answer['body'][]> {
  const pages: Answer['body'][] = [];
  for (let after: string | null = ''; after !== null;) {
    const { status, body }: Answer = await get(`${path}&pagination[after]=${after}`);
    expect(status).toBe(200);
    pages.push(body);
    after = body.meta.pagination.next;
  }
  return pages;
}

const idsOf = (pages: readonly Answer['body'][]): readonly number[] =>
  pages.flatMap(({ data }) => data.map(({ id }: { id: number }) => id));

describe('pagination[after]', () => {
  test('returns the pages of a list with page size, total and the next cursor', async () => {
    for (const [index, color] of ['green', 'blue', 'red', 'blue', 'red'].entries())
      await corpus.create('tags', { name: `${index}`, color });
    const pages = await walk(corpus, '/api/tags?sort=color&pagination[pageSize]=2');
    expect(idsOf(pages)).toEqual([2, 4, 1, 3, 5]);
    const metas = pages.map(({ meta }) => meta.pagination);
    const page = { pageSize: 2, pageCount: 3, total: 5 };
    expect(metas).toEqual([
      { ...page, next: expect.any(String) },
      { ...page, next: expect.any(String) },
      { ...page, next: null },
    ]);
  });

  test('works with a limit and without a count, and ends with a full page', async () => {
    const path = '/api/tags?sort=id:desc&pagination[limit]=5&pagination[withCount]=false';
    const { body } = await corpus.get(`${path}&pagination[after]=`);
    expect(body.meta.pagination).toEqual({ limit: 5, next: null });
    expect(body.data).toHaveLength(5);
  });

  test('continues at its position when entries are created and deleted between pages', async () => {
    const first = await corpus.get('/api/tags?sort=color&pagination[pageSize]=3&pagination[after]=');
    expect(idsOf([first.body])).toEqual([2, 4, 1]);
    await corpus.delete('/api/tags/1');
    const added = await corpus.create('tags', { name: '5', color: 'blue' });
    const { next } = first.body.meta.pagination;
    const second = await corpus.get(`/api/tags?sort=color&pagination[pageSize]=3&pagination[after]=${next}`);
    expect(idsOf([second.body])).toEqual([3, 5]);
    await corpus.delete(`/api/tags/${added}`);
  });

  test('applies filters, locale, publication state and populate in one read', async () => {
    const author = await corpus.create('authors', { name: 'Ada' });
    const seo = (metaTitle: string) => ({ metaTitle });
    for (const title of ['x', 'y', 'z', 'x', 'y'])
      await corpus.create('articles', { title, author, seo: seo(title), links: [{ label: title }, { label: 'w' }] });
    await corpus.create('articles', { title: 'y', seo: seo('y'), publishedAt: null });
    // The populate parameters of a component do not change the cursor of the next page.
    const populate = 'populate[author]=*&populate[seo][filters][metaTitle]=x&populate[links][filters][label]=x';
    const path = `/api/articles?sort=seo.metaTitle:desc,links.label&filters[author][name]=Ada&${populate}&pagination[pageSize]=2`;
    const pages = await walk(corpus, path);
    expect(idsOf(pages)).toEqual([3, 2, 5, 1, 4]);
    expect(pages[2].data[0].attributes).toMatchObject({
      author: { data: { attributes: { name: 'Ada' } } },
      seo: { metaTitle: 'x' },
      links: [{ label: 'x' }],
    });
    expect(pages[2].data[0].attributes).not.toHaveProperty('_after');
    // The ids of the authors are cached.
    const commands = await commandsOf(corpus.service, () => corpus.get(`${path}&pagination[after]=`));
    expect(commands.toSorted()).toEqual(['aggregate', 'versions']);
    const drafts = '/api/articles?sort=title&publicationState=preview&pagination[pageSize]=2';
    expect(idsOf(await walk(corpus, drafts))).toEqual([1, 4, 2, 5, 6, 3]);
  });

  test('returns 400 for an invalid cursor and together with a page', async () => {
    const { status, body } = await corpus.get('/api/tags?pagination[after]=7');
    expect([status, body.error.name]).toEqual([400, 'ValidationError']);
    expect(body.error.message).toBe('Invalid pagination.after: it is not a cursor of a list with this sort');
    expect((await corpus.get('/api/tags?pagination[after]=&pagination[page]=1')).status).toBe(400);
  });

  test('requires permission to sort by the same keys', async () => {
    const { body } = await corpus.get('/api/articles?sort=author.name&pagination[pageSize]=1&pagination[after]=');
    await corpus.service.applyAccess({
      roles: [],
      locales: [],
      tokens: [
        {
          name: 'articles alone',
          type: 'custom',
          permissions: ['api::article.article.find'],
          key: 'a-key-of-enough-characters',
          description: undefined,
          expiresAt: undefined,
        },
      ],
    });
    const path = `/api/articles?sort=author.name&pagination[after]=${body.meta.pagination.next}`;
    const answer = await request(corpus.service.url).get(path).auth('a-key-of-enough-characters', { type: 'bearer' });
    expect([answer.status, answer.body.error.message]).toEqual([400, 'Invalid parameter author']);
  });

  test('examines the same number of documents at any depth', async () => {
    const { entries } = notes.service;
    const create = (_: unknown, index: number) =>
      entries.create('api::note.note', { kind: `kind ${index % 3}`, ...(index % 4 > 0 && { rank: index % 50 }) });
    for (let batch = 0; batch < 4; batch += 1) await Promise.all(Array.from({ length: 250 }, create));
    const sorts = ['id', 'id:desc', 'createdAt:desc', 'kind,rank:desc'];
    for (const sort of sorts) {
      const path = `/api/notes?sort=${sort}&pagination[pageSize]=25`;
      const pages = await walk(notes, path);
      expect(new Set(idsOf(pages)).size).toBe(1000);
      const { next } = pages.at(-2)?.meta.pagination ?? {};
      const deep = await request(notes.service.url)
        .get(`${path}&pagination[after]=${next}`)
        .auth(notes.service.token, { type: 'bearer' })
        .set('X-Explain', '1');
      const chosen = (key: string, value: unknown): unknown => (key === 'rejectedPlans' ? [] : value);
      const plan = JSON.stringify(deep.body.explain.main.plan, chosen);
      expect([sort, /COLLSCAN|"stage":"SORT"/.exec(plan), /IXSCAN/.test(plan)]).toEqual([sort, null, true]);
      const examined = Math.max(...[...plan.matchAll(/"totalDocsExamined":(\d+)/g)].map(([, count]) => Number(count)));
      expect(examined).toBeLessThan(60);
    }
  });
});
