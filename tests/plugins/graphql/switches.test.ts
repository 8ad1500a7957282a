import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { createTestService, type TestService } from '../../../src/testing.js';
import { monitoredUri } from '../../support/commands.js';
import { corpus } from '../../support/service.js';

const services: TestService[] = [];
const start = async (graphql: boolean | object): Promise<TestService> => {
  const plugins = { graphql: typeof graphql === 'boolean' ? graphql : { config: { ...graphql } } };
  const service = await createTestService({ contentTypes: corpus, mongodbUri: monitoredUri(), plugins });
  services.push(service);
  return service;
};
afterAll(async () => {
  for (const service of services) await service.close();
});

const ask = (service: TestService, query: string, endpoint = '/graphql') =>
  request(service.url).post(endpoint).auth(service.token, { type: 'bearer' }).send({ query });

describe('the GraphQL plugin', () => {
  test('can be switched off', async () => {
    expect((await ask(await start(false), '{ __typename }')).status).toBe(404);
  });

  test('serves elsewhere', async () => {
    const service = await start({ endpoint: '/content/graphql' });
    expect((await ask(service, '{ __typename }')).status).toBe(404);
    expect((await ask(service, '{ __typename }', '/content/graphql')).body).toEqual({ data: { __typename: 'Query' } });
    expect((await ask(service, '{ __typename }', '/content/graphql/more')).status).toBe(404);
  });

  test('generates no queries and mutations of content types when shadowCRUD is off', async () => {
    const service = await start({ shadowCRUD: false });
    const { body } = await ask(
      service,
      '{ __schema { queryType { fields { name } } mutationType { fields { name } } } }',
    );
    const { queryType, mutationType } = body.data.__schema;
    const names = [...queryType.fields, ...mutationType.fields].map(({ name }: { name: string }) => name);
    expect(names.filter((name) => /^(?:create|update|delete)?(?:articles?|tags?)$/i.test(name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['me', 'login']));
  });

  test('writes the schema and its types, once', async () => {
    const service = await start({ artifacts: { schema: 'made/schema.graphql', typegen: 'made/types.ts' } });
    const file = (name: string): string => path.join(service.dataFolder, 'made', name);
    expect(await readFile(file('schema.graphql'), 'utf8')).toContain('type ArticleEntity {');
    expect(await readFile(file('types.ts'), 'utf8')).toContain('export interface ArticleEntity {');
    expect((await stat(file('schema.graphql'))).size).toBeGreaterThan(10_000);
  });

  test('answers requests that come at once before its schema is made', async () => {
    const service = await start(true);
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(service, '{ tags { data { id } } }')));
    expect(answers.map(({ body }) => body)).toEqual(answers.map(() => ({ data: { tags: { data: [] } } })));
  });
});
