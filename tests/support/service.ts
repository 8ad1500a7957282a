import { afterAll, beforeAll, expect } from '@jest/globals';
import request from 'supertest';
import { describeViolation } from '../../src/mongo/maintenance/check/violation.js';
import { checkDatabase } from '../../src/mongo/maintenance/check/check-database.js';
import { monitoredUri } from './commands.js';
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
 * A service for all tests of a file, on the database of the test run. Whatever the tests do through the API, the stored
 * data keeps every rule: that is checked at the end, unless they break it on purpose.
 */
export function useService(options: TestServiceOptions = {}, { checked = true } = {}): Client {
  let service: TestService;
  beforeAll(async () => {
    const mongodbUri = monitoredUri();
    service = await createTestService({ contentTypes: corpus, mongodbUri, ...options });
  });
  afterAll(async () => {
    const breaches: string[] = [];
    for await (const part of checkDatabase(service.database.db, service.registry)) {
      breaches.push(...part.violations.map(describeViolation));
    }
    await service.close();
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
