import { beforeAll, describe, expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { Attribute } from '../../../../src/content-types/model/types.js';
import request from 'supertest';
import { mistakes, referencesIn, validatorsOf, type OpenApi } from '../../../support/open-api.js';
import { corpus, useService } from '../../../support/service.js';

const client = useService({ contentTypes: corpus, environment: { EVENTS: 'true' } });

let api: OpenApi;
let validators: ReturnType<typeof validatorsOf>;
beforeAll(async () => {
  api = (await client.get('/documentation/openapi.json')).body as OpenApi;
  validators = validatorsOf(api);
});

const schemaAt = (...path: readonly string[]): ValidateFunction => validators.schemaAt(...path);
const answerTo = (method: string, path: string): ValidateFunction => validators.answerTo(method, path);

describe('the OpenAPI description', () => {
  test('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate({ ...structuredClone(api) });
    expect([valid, errors]).toEqual([true, undefined]);
  });

  test('describes every route of content types and plugins, each operation once', () => {
    const { contentTypes } = client.service.registry;
    const described = [...contentTypes.values()].filter(({ uid }) => uid.startsWith('api::'));
    const expected = described.flatMap(({ kind, singularName, pluralName }) =>
      kind === 'singleType'
        ? [[`/${singularName}`, ['get', 'put', 'delete']]]
        : [
            [`/${pluralName}`, ['get', 'post']],
            [`/${pluralName}/{id}`, ['parameters', 'get', 'put', 'delete']],
          ],
    );
    expect(expected.length).toBeGreaterThan(10);
    expect(expected.map(([path]) => [path, Object.keys(api.paths[String(path)] ?? {})])).toEqual(expected);
    for (const path of ['/auth/local', '/upload/files/{id}', '/i18n/locales', '/users-permissions/roles/{id}'])
      expect(api.paths).toHaveProperty([path]);
    const operations = Object.values(api.paths).flatMap((item) =>
      Object.values(item).flatMap(({ operationId }) => (operationId === undefined ? [] : [operationId as string])),
    );
    expect(operations.length).toBeGreaterThan(50);
    expect(new Set(operations).size).toBe(operations.length);
  });

  test('contains no private attributes and no passwords of entries', () => {
    const { contentTypes, components } = client.service.registry;
    const attributes = [...contentTypes.values(), ...components.values()].flatMap((of) => [...of.attributes.values()]);
    const isHidden = (one: Attribute) => one.private || (one.kind === 'scalar' && one.type === 'password');
    const visible = new Set(attributes.filter((one) => !isHidden(one)).map(({ name }) => name));
    const names = new Set(attributes.map(({ name }) => name).filter((name) => !visible.has(name)));
    for (const name of ['internalNote', 'notes', 'resetPasswordToken', 'confirmationToken', 'pin']) {
      expect(names.has(name)).toBe(true);
    }
    const named = new Set<string>();
    const collect = (part: unknown): void => {
      if (typeof part === 'string' && names.has(part)) named.add(part);
      if (typeof part !== 'object' || part === null) return;
      for (const [key, value] of Object.entries(part)) {
        if (names.has(key)) named.add(key);
        collect(value);
      }
    };
    // Accounts, and the notes of a request to publish.
    const other = /^\/(?:auth|users)|\/review(?:\/|$)/;
    collect(api.components);
    for (const [path, item] of Object.entries(api.paths)) if (!other.test(path)) collect(item);
    expect([...named]).toEqual([]);
  });

  test('has no dangling references', () => {
    const references = referencesIn(api);
    expect(references.size).toBeGreaterThan(50);
    expect([...references].filter(([, isThere]) => !isThere)).toEqual([]);
  });

  test('contains nothing about private attributes and passwords', () => {
    const answered = JSON.stringify(
      Object.entries(api.components.schemas).filter(([name]) => !/(?:Input|Request)$/.test(name)),
    );
    expect(answered).not.toMatch(/"(?:password|resetPasswordToken|confirmationToken|accessKey)":/);
  });
});

describe('responses match the description', () => {
  test('for entries with all that can be populated, lists and errors', async () => {
    const author = await client.create('authors', { name: 'Ida', email: 'ida@example.org' });
    const created = await client.post('/api/articles?populate=*', { title: 'On Bread', author });
    expect(created.status).toBe(200);
    expect(mistakes(answerTo('post', '/articles'), created.body)).toEqual([]);
    expect(mistakes(answerTo('get', '/articles'), (await client.get('/api/articles?populate=*')).body)).toEqual([]);
    const one = await client.get(`/api/articles/${created.body.data.id}?populate=*`);
    expect(mistakes(answerTo('get', '/articles/{id}'), one.body)).toEqual([]);
    const { service } = client;
    const changes = await request(service.url)
      .get('/api/changes?wait=0')
      .set('Accept', 'application/json')
      .auth(service.token, { type: 'bearer' });
    expect(mistakes(answerTo('get', '/changes'), changes.body)).toEqual([]);
    const { body: files } = await request(service.url)
      .post('/api/upload')
      .auth(service.token, { type: 'bearer' })
      .attach('files', Buffer.from('rye'), 'rye.txt');
    const operations = [
      { update: 'articles', id: created.body.data.id, data: { title: 'On Rye' } },
      { update: 'upload/files', id: files[0].id, data: { caption: 'Rye' } },
      { create: 'homepage', data: { title: 'Rye' } },
    ];
    const batch = await request(service.url)
      .post('/api/batch')
      .auth(service.token, { type: 'bearer' })
      .send({ operations });
    expect(batch.status).toBe(200);
    expect(mistakes(answerTo('post', '/batch'), batch.body)).toEqual([]);
    const missing = await client.get('/api/articles/999999');
    const error = schemaAt('components', 'responses', 'Error404', 'content', 'application/json', 'schema');
    expect(mistakes(error, missing.body)).toEqual([]);
    expect(error(one.body)).toBe(false);
    const refused = await client.post('/api/articles', { title: 5 });
    expect(refused.status).toBe(400);
    const invalid = schemaAt('components', 'responses', 'Error400', 'content', 'application/json', 'schema');
    expect(mistakes(invalid, refused.body)).toEqual([]);
  });

  test('with the ETag of a single entry', async () => {
    const slug = 'on-bread';
    const { id } = (await client.post('/api/articles', { title: 'On Bread', slug })).body.data;
    await client.put('/api/homepage', { title: 'Home' });
    for (const [path, url] of [
      ['/articles/{id}', `/api/articles/${id}`],
      ['/articles/by/{attribute}/{value}', `/api/articles/by/slug/${slug}`],
      ['/homepage', '/api/homepage'],
    ] as const) {
      expect(api.paths[path]?.['get']).toMatchObject({ responses: { 200: { headers: { ETag: {} } } } });
      expect([path, (await client.get(url)).headers['etag']]).toEqual([path, expect.any(String)]);
    }
  });

  test('for the routes of plugins', async () => {
    const { body } = await client.get('/api/i18n/locales');
    expect(mistakes(answerTo('get', '/i18n/locales'), body)).toEqual([]);
    const roles = await client.get('/api/users-permissions/roles');
    expect(mistakes(answerTo('get', '/users-permissions/roles'), roles.body)).toEqual([]);
  });

  test('and bodies that do not match it are refused', async () => {
    const body = schemaAt('paths', '/articles', 'post', 'requestBody', 'content', 'application/json', 'schema');
    for (const [data, fits] of [
      [{ title: 'x' }, true],
      [{ publishedAt: null }, true],
      [{}, false],
      [{ title: ['x'] }, false],
    ] as const) {
      expect(body({ data })).toBe(fits);
      const status = (await client.post('/api/articles', data)).status;
      expect([data, status]).toEqual([data, fits ? 200 : 400]);
    }
  });
});
