import { mkdtempSync, cpSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import request from 'supertest';
import { publisher } from '../../../tests/support/access.js';
import { mistakes, referencesIn, validatorsOf, type OpenApi } from '../../../tests/support/open-api.js';
import { useService } from '../../../tests/support/service.js';

/** That answers match it is shown with the recordings. */
describe("the description of Strapi 5's API", () => {
  const client = useService({
    plugins: { strapi5: true },
    extension: {
      guards: { 'api::tag.tag.find': { policies: [() => true] } },
      routes: [{ method: 'GET', path: '/authors', action: undefined, handle: async () => ({ body: [] }) }],
    },
  });
  let api: OpenApi;
  beforeAll(async () => {
    api = (await client.get('/documentation/v5/api/openapi.json')).body as OpenApi;
  });

  test('is valid OpenAPI 3.1 without dangling references', async () => {
    const { valid, errors } = await new Validator().validate({ ...structuredClone(api) });
    expect([valid, errors]).toEqual([true, undefined]);
    const references = referencesIn(api);
    expect(references.size).toBeGreaterThan(50);
    expect([...references].filter(([, isThere]) => !isThere)).toEqual([]);
  });

  test('has the operations that there are below its address, and no others', () => {
    const { paths } = api;
    expect(api.servers).toEqual([{ url: '/v5/api' }]);
    const operations = (place: string) => Object.keys(paths[place] ?? {});
    expect(operations('/tags')).toEqual(['get', 'post']);
    expect(operations('/tags/{id}')).toEqual(['parameters', 'get', 'put', 'delete']);
    // Code of the project answers its list.
    expect(operations('/authors')).toEqual(['post']);
    expect(operations('/homepage')).toEqual(['get', 'put', 'delete']);
    for (const place of ['/auth/local', '/users/{id}', '/upload/files/{id}', '/i18n/locales'])
      expect(paths).toHaveProperty([place]);
    for (const place of ['/batch', '/tags/count', '/tags/by/{attribute}/{value}', '/articles/{id}/localizations'])
      expect(paths).not.toHaveProperty([place]);
    expect(Object.keys(paths['/tags']?.['post'].responses)).toContain('201');
    expect(Object.keys(paths['/tags/{id}']?.['delete'].responses)).toContain('204');
    const named = (place: string) =>
      paths[place]?.['get'].parameters.map(({ name }: { readonly name: string }) => name) as readonly string[];
    expect(named('/articles')).toEqual(
      ['filters', '_q', 'sort', 'pagination', 'fields', 'populate', 'status', 'publicationFilter'].concat(
        'hasPublishedVersion',
        'locale',
      ),
    );
    expect(named('/tags')).not.toContain('status');
  });

  test('takes the bodies that are taken, and refuses those that are refused', async () => {
    const { schemaAt } = validatorsOf(api);
    const body = schemaAt('paths', '/articles', 'post', 'requestBody', 'content', 'application/json', 'schema');
    const tag = (await client.post('/v5/api/tags', { name: 'x' })).body.data;
    for (const [data, fits] of [
      [{ title: 'On Bread', tags: [tag.documentId] }, true],
      [{ title: 'On Rye', tags: { connect: [{ documentId: tag.documentId, position: { end: true } }] } }, true],
      [{ title: 'On Spelt', tags: { set: [tag.id] } }, true],
      [{ title: ['x'] }, false],
      [{ title: 'x', nope: 1 }, false],
      [{ title: 'x', createdAt: '2020-01-01T00:00:00.000Z' }, false],
      [{ title: 'x', documentId: 'x' }, false],
    ] as const) {
      expect([data, mistakes(body, { data })]).toEqual([data, fits ? [] : expect.any(Array)]);
      expect(body({ data })).toBe(fits);
      const answer = await client.post('/v5/api/articles', data);
      expect([data, answer.status]).toEqual([data, fits ? 201 : 400]);
    }
  });
});

describe('with Strapi 5 at /api', () => {
  const client = useService({
    environment: { REST_PREFIX: '/v4/api' },
    plugins: { strapi5: { enabled: true, config: { path: '/' } }, graphql: false },
  });

  test('both descriptions follow', async () => {
    const read = async (place: string): Promise<OpenApi> => (await client.get(place)).body as OpenApi;
    const [v4, v5] = [await read('/documentation/openapi.json'), await read('/documentation/api/openapi.json')];
    expect([v4, v5].map(({ servers }) => servers[0]?.url)).toEqual(['/v4/api', '/api']);
    expect([v4, v5].map(({ components: { schemas } }) => Object.keys((schemas as any).TagEntry.properties))).toEqual([
      ['id', 'attributes', 'meta'],
      ['id', 'documentId'],
    ]);
  });
});

describe('for a role', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'strapi5-role-'));
  cpSync(publisher, folder, { recursive: true });
  const permissions = [{ action: 'api::article.article.find', fields: ['title', 'author'] }, 'api::author.author.find'];
  writeFileSync(path.join(folder, 'access.json'), JSON.stringify({ roles: { reader: { permissions } } }));
  afterAll(() => rmSync(folder, { recursive: true }));
  const client = useService({ contentTypes: folder, plugins: { strapi5: true } });

  test('it has what that sees, and only callers who may read all schemas get it', async () => {
    const place = '/documentation/v5/api/openapi.json';
    const { body } = await client.get(`${place}?role=reader`);
    expect(Object.keys(body.paths['/articles'])).toEqual(['get']);
    expect(Object.keys(body.components.schemas.Article.properties).toSorted()).toEqual([
      'author',
      'documentId',
      'title',
    ]);
    const anybody = request(client.service.url);
    expect((await anybody.get(`${place}?role=reader`)).status).toBe(403);
    expect((await anybody.get(place)).status).toBe(200);
  });
});
