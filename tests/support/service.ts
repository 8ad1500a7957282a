import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect } from '@jest/globals';
import request from 'supertest';
import { filledCollections } from '../../scripts/conformance/filled-collections.js';
import { describeViolation } from '../../src/mongo/maintenance/check/violation.js';
import { checkDatabase } from '../../src/mongo/maintenance/check/check-database.js';
import { monitoredUri } from './commands.js';
import { documentsPlugin } from './documents-plugin.js';
import { emptyDatabase, structureOf, type Structure } from './emptied-databases.js';
import { createTestService, type TestService, type TestServiceOptions } from '../../src/testing.js';

/** The corpus's content types: they have every kind of attribute. */
export const corpus = 'tests/fixtures/corpus/content-types';

export interface Answer {
  readonly status: number;
  // Tests state what they expect of a body.
  readonly body: any; // oxlint-disable-line typescript/no-explicit-any
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Client {
  readonly service: TestService;
  get(path: string): Promise<Answer>;
  post(path: string, data: unknown): Promise<Answer>;
  put(path: string, data: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
  /** Sends a GraphQL document with its variables. */
  graphql(query: string, variables?: object): Promise<Answer>;
  /** Creates an entry; returns its id. */
  create(collection: string, data: object): Promise<number>;
}

/**
 * The names of emptied databases that no test uses at the moment, by what decides which collections and indexes they
 * have.
 */
const unused = new Map<string, string[]>();

/**
 * A service for all tests of a file. Tests with the same content types use one database after the other. Whatever the
 * tests do through the API, the stored data keeps every rule: that is checked at the end, unless they break it on
 * purpose.
 */
export function useService(options: Omit<TestServiceOptions, 'mongodbUri'> = {}, { checked = true } = {}): Client {
  const { contentTypes = corpus, environment, plugins } = options;
  const key = JSON.stringify([
    contentTypes,
    environment?.['STRAPI_DATABASE'],
    plugins?.['i18n'] !== false,
    plugins?.['mcp'] !== undefined,
    plugins?.['audit'] !== undefined,
    plugins?.['versions'] !== undefined,
    plugins?.['strapi5'] !== undefined,
    plugins?.[documentsPlugin.name] !== undefined,
  ]);
  let structure: Structure;
  let service: TestService;
  beforeAll(async () => {
    const mongodbUri = monitoredUri(unused.get(key)?.pop() ?? `shared_${randomUUID()}`);
    service = await createTestService({ ...options, contentTypes, mongodbUri });
    structure = await structureOf(service.database.db);
  });
  afterAll(async () => {
    const { db } = service.database;
    const breaches: string[] = [];
    const filled = await filledCollections(db);
    const types = [...service.registry.contentTypes].filter(([, type]) => filled.has(type.collectionName));
    for await (const part of checkDatabase(db, { ...service.registry, contentTypes: new Map(types) })) {
      breaches.push(...part.violations.map(describeViolation));
    }
    await service.close();
    if (await emptyDatabase(db.databaseName, structure)) unused.set(key, [...(unused.get(key) ?? []), db.databaseName]);
    if (checked) expect(breaches).toEqual([]);
  });
  const send = async (method: 'get' | 'post' | 'put' | 'delete', path: string, data?: unknown): Promise<Answer> => {
    const sending = request(service.url)[method](path).auth(service.token, { type: 'bearer' });
    return data === undefined ? sending : sending.send({ data });
  };
  const client: Client = {
    get service() {
      return service;
    },
    get: (path) => send('get', path),
    post: (path, data) => send('post', path, data),
    put: (path, data) => send('put', path, data),
    delete: (path) => send('delete', path),
    graphql: async (query, variables = {}) =>
      request(service.url).post('/graphql').auth(service.token, { type: 'bearer' }).send({ query, variables }),
    create: async (collection, data) => {
      const { status, body } = await client.post(`/api/${collection}`, data);
      if (status !== 200) throw new Error(`POST /api/${collection}: ${status} ${JSON.stringify(body)}`);
      return body.data.id as number;
    },
  };
  return client;
}
