import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import request from 'supertest';
import { useService, type Answer, type Client } from '../../support/service.js';

const development = useService({ environment: { NODE_ENV: 'development' } });
const elsewhere = useService();

const read = async (
  { service }: Client,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => request(service.url).get(path).auth(service.token, { type: 'bearer' }).set(headers);
const explainHeader = { 'X-Explain': '1' };

let article = 0;
beforeAll(async () => {
  for (const { create } of [development, elsewhere]) {
    const author = await create('authors', { name: 'Ada', notes: 'SECRET' });
    article = await create('articles', { title: 'One', author });
    await create('products', {
      sku: 'ANV-01',
      name: 'Anvil',
      serial: '9007199254740993',
      restockAt: '2024-01-01T00:00:00Z',
    });
  }
});

describe('explain and query cost in development', () => {
  test.each([[{ 'X-Forwarded-For': '203.0.113.9' }], [{ Host: 'api.example.org' }], [{ Via: '1.1 proxy' }]])(
    'are refused behind a proxy: %j',
    async (proxied) => {
      const { service } = development;
      const anybody = (path: string) => request(service.url).get(path).set(proxied).set(explainHeader);
      const permissions = ['api::tag.tag.find'];
      const role = { type: 'public', name: undefined, description: undefined, permissions };
      await service.applyAccess({ roles: [role], tokens: [], locales: [] });
      const { status, body, headers } = await anybody('/api/tags');
      expect([status, body.explain, headers['x-query-cost']]).toEqual([200, undefined, undefined]);
      for (const path of ['/', '/documentation']) expect((await anybody(path)).status).toBe(404);
      const near = await request(service.url).get('/api/tags').set(explainHeader);
      expect([typeof near.body.explain, typeof near.headers['x-query-cost']]).toEqual(['object', 'string']);
      expect((await request(service.url).get('/')).status).toBe(200);
      expect((await read(development, '/api/tags', { ...explainHeader, ...proxied })).body).toHaveProperty('explain');
    },
  );
});

describe('X-Explain: 1 in development', () => {
  test('returns the commands of a list and their execution statistics beside its data', async () => {
    const path = '/api/articles?filters[author][name]=Ada&populate=author&fields[0]=title';
    const { body } = await read(development, path, explainHeader);
    const plain = await read(development, path);
    const { explain, ...rest } = body;
    expect(rest).toEqual(plain.body);
    expect(explain.before).toMatchObject([
      { command: { find: 'authors', filter: { name: { $eq: 'Ada' } }, projection: { _id: 1 } } },
    ]);
    expect(explain.main.command).toMatchObject({
      aggregate: 'articles',
      pipeline: [{ $match: { $and: [{ author: { $in: [1] } }, { _live: 1 }, { locale: { $eq: 'en' } }] } }, { $sort: { _id: 1 } }, { $limit: 25 }, {}, {}, { $lookup: { from: 'authors' } }, { $lookup: { from: 'articles' } }], // prettier-ignore
    });
    expect(explain.count.command).toMatchObject({ aggregate: 'articles' });
    for (const { plan } of [...explain.before, explain.main, explain.count]) {
      expect(JSON.stringify(plan)).toContain('"totalDocsExamined":1');
      expect(JSON.stringify(plan)).not.toMatch(/serverInfo|serverParameters/);
    }
  });

  test('returns the find command that reads a single entry', async () => {
    const { body } = await read(development, '/api/authors/1?fields[0]=name', explainHeader);
    expect(body.data).toMatchObject({ id: 1, attributes: { name: 'Ada' } });
    const command = { find: 'authors', filter: { _id: { $eq: 1 } }, projection: { name: 1 }, limit: 1 };
    expect(body.explain.main.command).toEqual(command);
    expect(body.explain).not.toHaveProperty('count');
  });

  test('returns values that JSON cannot represent as Extended JSON', async () => {
    const query = 'filters[serial]=9007199254740993&filters[restockAt]=2024-01-01T00:00:00Z';
    const { body } = await read(development, `/api/products?${query}`, explainHeader);
    expect(body.data).toHaveLength(1);
    expect(JSON.stringify(body.explain.count.command)).toContain(
      '[{"serial":{"$eq":{"$numberLong":"9007199254740993"}}},{"restockAt":{"$eq":{"$date":"2024-01-01T00:00:00.000Z"}}}]',
    );
  });

  test('returns 400 for an invalid query', async () => {
    expect((await read(development, '/api/articles?filters[internalNote]=x', explainHeader)).status).toBe(400);
    expect((await read(development, '/api/articles/999', explainHeader)).status).toBe(404);
    expect((await request(development.service.url).get('/api/articles').set(explainHeader)).status).toBe(403);
  });

  test('is ignored outside development', async () => {
    expect((await read(elsewhere, '/api/articles', explainHeader)).body).not.toHaveProperty('explain');
  });
});

describe('explain=true', () => {
  test('returns the explanation to a full-access token', async () => {
    const { body } = await read(elsewhere, '/api/tags?explain=true');
    expect(body.explain.main.command).toMatchObject({ find: 'tags' });
    const { body: single } = await read(elsewhere, '/api/articles?explain=false');
    expect(single).not.toHaveProperty('explain');
  });

  test('is an unknown parameter for every other caller', async () => {
    const key = 'a-token-that-only-reads';
    const tokens = [{ name: 'reader', type: 'read-only', permissions: [], key, description: undefined, expiresAt: undefined }] as const; // prettier-ignore
    await elsewhere.service.applyAccess({ roles: [], locales: [], tokens });
    const { status, body } = await request(elsewhere.service.url)
      .get('/api/articles?explain=true')
      .auth(key, { type: 'bearer' });
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('explain');
  });
});

describe('X-Query-Cost', () => {
  // Whose a token is, is looked up once a second, and costs too: here, before each test, within which no time passes.
  beforeEach(async () => {
    jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    await costOf('/api/articles');
  });
  afterEach(() => void jest.restoreAllMocks());

  const costOf = async (path: string): Promise<readonly number[]> => {
    const { headers } = await read(development, path);
    return (headers['x-query-cost'] ?? '').split(';').map(Number);
  };

  test('reports commands, documents and bytes of each response, also for concurrent requests', async () => {
    const one = `/api/articles/${article}`;
    const list = '/api/articles?populate=author&pagination[withCount]=false';
    const filtered = `${list}&filters[author][name]=Ada`;
    await costOf(filtered);
    // The ids of the authors are cached, but the versions of both types are read.
    const costs = await Promise.all([one, filtered, one, '/api/articles/999', list].map(costOf));
    expect(costs.map(([commands, documents]) => [commands, documents])).toEqual([
      [1, 1],
      [2, 4],
      [1, 1],
      [1, 0],
      [1, 2],
    ]);
    for (const [, , bytes] of costs) expect(bytes).toBeGreaterThan(50);
    expect(costs[1]?.[2]).toBeGreaterThan(costs[0]?.[2] ?? 0);
  });

  test('counts only the cost of its own response, also when reads are coalesced', async () => {
    const costs = await Promise.all(Array.from({ length: 30 }, () => costOf(`/api/articles/${article}`)));
    expect(new Set(costs.map(([commands, documents]) => `${commands};${documents}`))).toEqual(new Set(['1;1']));
  });

  test('is sent with responses to writes and refused requests', async () => {
    const { headers } = await request(development.service.url).post('/api/tags').auth(development.service.token, { type: 'bearer' }).send({ data: { name: 'Red' } }); // prettier-ignore
    expect(headers['x-query-cost']).toMatch(/^[1-9]\d*;\d+;[1-9]\d*$/);
    const refused = await read(development, '/api/nothing');
    expect(refused).toMatchObject({ status: 404, headers: { 'x-query-cost': '0;0;0' } });
  });

  test('is not sent outside development', async () => {
    expect((await read(elsewhere, '/api/articles')).headers).not.toHaveProperty('x-query-cost');
  });
});
