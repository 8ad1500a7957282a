import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import type { Extension } from '../../../src/plugins/contract/extension.js';
import { createTestService, type TestService } from '../../../src/testing.js';
import { monitoredUri } from '../../support/commands.js';
import { corpus } from '../../support/service.js';

const services: TestService[] = [];
const start = async (graphql: boolean | object, extension: Extension = {}): Promise<TestService> => {
  const plugins = { graphql: typeof graphql === 'boolean' ? graphql : { config: { ...graphql } } };
  const service = await createTestService({ contentTypes: corpus, mongodbUri: monitoredUri(), plugins, extension });
  services.push(service);
  return service;
};
afterAll(async () => {
  for (const service of services) await service.close();
});

const ask = (service: TestService, query: string, endpoint = '/graphql') =>
  request(service.url).post(endpoint).auth(service.token, { type: 'bearer' }).send({ query });

describe('the GraphQL plugin', () => {
  test('can be disabled', async () => {
    // As Strapi v4 answers where nothing takes a POST.
    expect((await ask(await start(false), '{ __typename }')).status).toBe(405);
  });

  test('serves another endpoint', async () => {
    const service = await start({ endpoint: '/content/graphql' });
    expect((await ask(service, '{ __typename }')).status).toBe(405);
    expect((await ask(service, '{ __typename }', '/content/graphql')).body).toEqual({ data: { __typename: 'Query' } });
    expect((await ask(service, '{ __typename }', '/content/graphql/more')).status).toBe(405);
  });

  const namesIn = async (service: TestService): Promise<readonly string[]> => {
    const { body } = await ask(
      service,
      '{ __schema { types { name } queryType { fields { name } } mutationType { fields { name } } } }',
    );
    const { types, queryType, mutationType } = body.data.__schema;
    const all = [...types, ...queryType.fields, ...(mutationType?.fields ?? [])] as readonly {
      readonly name: string;
    }[];
    return all.map(({ name }) => name).filter((name) => !name.startsWith('__'));
  };

  test('has no fields of content types and plugins without shadowCRUD', async () => {
    const service = await start({ shadowCRUD: false, artifacts: { typegen: 'types.ts' } });
    expect((await namesIn(service)).toSorted()).toEqual(['Boolean', 'Query', 'String', 'ok']);
    expect((await ask(service, '{ ok }')).body).toEqual({ data: { ok: true } });
    const page = await request(service.url).get('/graphql').set('Accept', 'text/html');
    expect(page.status).toBe(200);
  });

  test('has the fields of the project without shadowCRUD', async () => {
    const service = await start(
      { shadowCRUD: false },
      {
        register: ({ strapi }) => {
          const extension = strapi.plugin('graphql').service('extension');
          extension.use({
            typeDefs:
              'type Title { text: String, at: DateTime } type Query { titles: [Title] } type Mutation { rename: Title }',
            resolvers: {
              Query: {
                titles: async () => {
                  const articles = await strapi.entityService.findMany('api::article.article');
                  return articles.map(({ title, createdAt }) => ({ text: title, at: createdAt }));
                },
              },
            },
            resolversConfig: { 'Query.titles': { auth: false } },
          });
          extension.use(({ nexus }) => ({
            types: [
              nexus.extendType({ type: 'Query', definition: (t) => t.string('more', { resolve: () => 'more' }) }),
            ],
          }));
        },
      },
    );
    expect(await namesIn(service)).toEqual(expect.arrayContaining(['Title', 'titles', 'more', 'DateTime', 'rename']));
    expect(await namesIn(service)).not.toContain('login');
    expect((await ask(service, '{ titles { text } more }')).body).toEqual({ data: { titles: [], more: 'more' } });
  });

  test('writes the schema and its types once', async () => {
    const service = await start({ artifacts: { schema: 'made/schema.graphql', typegen: 'made/types.ts' } });
    const file = (name: string): string => path.join(service.dataFolder, 'made', name);
    expect(await readFile(file('schema.graphql'), 'utf8')).toContain('type ArticleEntity {');
    expect(await readFile(file('types.ts'), 'utf8')).toContain('export interface ArticleEntity {');
    expect((await stat(file('schema.graphql'))).size).toBeGreaterThan(10_000);
  });

  test('serves concurrent first requests before its schema is built', async () => {
    const service = await start(true);
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(service, '{ tags { data { id } } }')));
    expect(answers.map(({ body }) => body)).toEqual(answers.map(() => ({ data: { tags: { data: [] } } })));
  });
});
