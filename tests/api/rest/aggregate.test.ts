import { describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../src/documents/caller.js';
import { useService } from '../../support/service.js';

describe('groups of entries', () => {
  const client = useService();
  const groups = async (path: string) => {
    const { status, body } = await client.get(`/api/${path}`);
    expect({ path, status, error: body.error }).toEqual({ path, status: 200, error: undefined });
    return body.data as readonly Record<string, unknown>[];
  };

  test('have their keys, their number and measures, in pages with a total', async () => {
    const ada = await client.create('authors', { name: 'Ada' });
    for (const [index, kind] of ['news', 'review', 'news'].entries())
      await client.create('articles', { title: `A${index}`, kind, views: 10 * index, author: index > 0 ? ada : null });
    const path = '/api/articles/aggregate?groupBy=author.name,kind&sum=views&sort=count:desc&pagination[pageSize]=2';
    expect((await client.get(path)).body).toEqual({
      data: [
        { key: { 'author.name': null, kind: 'news' }, count: 1, sum: { views: 0 } },
        { key: { 'author.name': 'Ada', kind: 'news' }, count: 1, sum: { views: 20 } },
      ],
      meta: { pagination: { page: 1, pageSize: 2, pageCount: 2, total: 3 } },
    });
    const without = await client.get('/api/articles/aggregate?pagination[start]=0&pagination[withCount]=false');
    expect(without.body).toEqual({ data: [{ key: {}, count: 3 }], meta: { pagination: { start: 0, limit: 25 } } });
  });

  test('have an entry once, also where several of its targets have the same value', async () => {
    const tags: number[] = [];
    for (const name of ['one', 'another']) tags.push(await client.create('tags', { name }));
    await client.create('articles', { title: 'Twice', tags });
    const { body } = await client.get('/api/articles/aggregate?groupBy=tags.createdAt:year&filters[title]=Twice');
    expect(body).toMatchObject({ data: [{ count: 1 }], meta: { overlapping: ['tags.createdAt'] } });
    // Keys of one list mean the same entry of it.
    expect(await groups('articles/aggregate?groupBy=tags.id,tags.name&filters[title]=Twice')).toHaveLength(2);
  });

  test('have exact sums', async () => {
    for (const [score, bignum] of [
      [0.1, '9007199254740993'],
      [0.2, '9223372036854775807'],
    ])
      await client.create('articles', { title: 'Exact', score, bignum });
    const path = 'articles/aggregate?filters[title]=Exact&sum=score,bignum&avg=score,bignum&min=bignum&max=bignum';
    expect(await groups(path)).toEqual([
      {
        key: {},
        count: 2,
        sum: { score: 0.3, bignum: '9232379236109516800' },
        avg: { score: 0.15, bignum: 4_616_189_618_054_758_400 },
        min: { bignum: '9007199254740993' },
        max: { bignum: '9223372036854775807' },
      },
    ]);
  });

  test('of no entries are none, or one without keys, of which conditions decide as of others', async () => {
    const none = 'articles/aggregate?filters[title]=nothing&sum=views&avg=views&min=title';
    const empty = { key: {}, count: 0, sum: { views: 0 }, avg: { views: null }, min: { title: null } };
    expect(await groups(none)).toEqual([empty]);
    expect(await groups(`${none}&sum=author.rank`)).toMatchObject([{ count: 0 }]);
    expect(await groups(`${none}&having[count][$gte]=1`)).toEqual([]);
    expect(await groups(`${none}&groupBy=author.name`)).toEqual([]);
    expect(await groups(`${none}&groupBy=tags.name`)).toEqual([]);
  });

  test('of dates know offsets, and leave out years that four digits do not write', async () => {
    for (const startsAt of ['2024-01-01T01:00:00Z', '+012024-01-01T00:00:00Z'])
      await client.create('articles', { title: 'Dated', startsAt });
    const years = async (timeZone: string) =>
      (await groups(`articles/aggregate?filters[title]=Dated&groupBy=startsAt:year&timeZone=${timeZone}`)).map(
        ({ key }) => (key as { readonly startsAt: unknown }).startsAt,
      );
    expect(await years('UTC')).toEqual([null, '2024']);
    expect(await years('-03:30')).toEqual([null, '2023']);
    expect(await years('+02:00')).toEqual([null, '2024']);
    const quarters = await groups('articles/aggregate?filters[title]=Dated&groupBy=startsAt:quarter');
    expect(quarters).toMatchObject([{ key: { startsAt: null } }, { key: { startsAt: '2024-Q1' } }]);
  });

  test('are for those who may list the entries', async () => {
    const { status } = await fetch(`${client.service.url}/api/articles/aggregate`);
    expect(status).toBe(403);
    expect((await client.get('/api/homepage/aggregate')).status).toBe(404);
  });

  test('are there for code, drafts too, and for a caller by whose rights it reads', async () => {
    const { entries } = client.service;
    await client.create('articles', { title: 'Of code', views: 2, publishedAt: null });
    await client.create('articles', { title: 'Of code', views: 3, internalNote: 'private' });
    const params = { filters: { title: 'Of code' }, groupBy: 'internalNote', sum: 'views' };
    expect(await entries.aggregate('api::article.article', params)).toEqual({
      groups: [
        { key: { internalNote: null }, count: 1, sum: { views: 2 } },
        { key: { internalNote: 'private' }, count: 1, sum: { views: 3 } },
      ],
      total: 2,
    });
    const published = { ...params, publicationState: 'live', groupBy: 'author.name' };
    expect((await entries.aggregate('api::article.article', published)).groups).toMatchObject([{ count: 1 }]);
    const caller: Caller = { kind: 'public', may: (action) => action === 'api::article.article.find' };
    const ofCaller = entries.as(caller);
    expect((await ofCaller.aggregate('api::article.article', { ...params, groupBy: [] })).groups).toMatchObject([
      { count: 1 },
    ]);
    for (const groupBy of ['internalNote', 'author.name'])
      await expect(ofCaller.aggregate('api::article.article', { ...params, groupBy })).rejects.toThrow(
        'Invalid parameter',
      );
  });

  test('are explained, for those who may see the commands', async () => {
    const { body } = await client.get('/api/articles/aggregate?groupBy=tags.name&explain=true');
    expect(body.explain.main.command).toMatchObject({ aggregate: 'articles', allowDiskUse: false });
    expect(body.explain.main.plan).toBeDefined();
  });
});

describe('where an index has all that is read', () => {
  const client = useService({ contentTypes: 'scripts/benchmarks/content-types' });
  test.each([
    ['sum=views', 'views_-1'],
    ['groupBy=kind&avg=views', 'kind_1_views_-1'],
    ['groupBy=author.name&sort=count:desc', 'author_1'],
  ])('%s reads the shortest one, and no entries', async (query, index) => {
    const author = await client.create('authors', { name: 'Ada' });
    await client.create('articles', {
      title: 'One',
      slug: query.replaceAll(/\W/g, '-'),
      kind: 'news',
      views: 1,
      author,
    });
    const { body } = await client.get(`/api/articles/aggregate?${query}&explain=true`);
    const plan = JSON.stringify(body.explain.main.plan);
    expect(plan).toContain(`"indexName":"cs_${index}`);
    const ofEntries = plan.slice(0, plan.indexOf('$lookup') + 1 || undefined);
    expect(ofEntries).toContain('"stage":"IXSCAN"');
    expect(ofEntries).not.toContain('"stage":"FETCH"');
  });
});

describe('where texts are equal in any case', () => {
  const client = useService({ environment: { STRAPI_DATABASE: 'mysql' } });

  test('a group has the text of its first entry, and so have the lowest and the highest', async () => {
    for (const title of ['Écru', 'ecru', 'Beta', 'ECRU']) await client.create('articles', { title });
    const { body } = await client.get('/api/articles/aggregate?groupBy=title&countDistinct=title&min=title');
    expect(body.data).toEqual([
      { key: { title: 'Beta' }, count: 1, countDistinct: { title: 1 }, min: { title: 'Beta' } },
      { key: { title: 'Écru' }, count: 3, countDistinct: { title: 1 }, min: { title: 'Écru' } },
    ]);
  });
});
