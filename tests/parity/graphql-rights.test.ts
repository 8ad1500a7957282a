import { describe, expect, test } from '@jest/globals';
import fc from '../support/fast-check.js';
import request from 'supertest';
import type { ContentType } from '../../src/content-types/model/types.js';
import { typeName } from '../../src/content-types/model/type-name.js';
import { choicesOf } from '../property/choices.js';
import { filledTypes } from '../property/random-data.js';
import { folders, makeWorld, tape } from '../property/databases.js';
import { useService, type Answer, type Client } from '../support/service.js';
import { asGraphql } from './as-graphql.js';
import { randomWish } from './random-request.js';
import { scaled } from '../support/scaled.js';

const QUERIES = Number(process.env['QUERIES'] ?? scaled(15, 150));

/** The names of all types that an answer has values of. */
const typesIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/"__typename":"(?<name>\w+)"/g)].map(({ groups }) => groups?.['name'] ?? ''));

/** For each type an API token that may list all but that. */
async function tokensWithout(client: Client, types: readonly ContentType[]): Promise<ReadonlyMap<ContentType, string>> {
  const keys = new Map(types.map((type) => [type, `key-without-${type.singularName}`]));
  const actions = types.flatMap(({ uid }) => [`${uid}.find`, `${uid}.findOne`]);
  const tokens = [...keys].map(([{ uid, singularName }, key]) => ({
    name: singularName,
    key,
    type: 'custom' as const,
    description: undefined,
    expiresAt: undefined,
    permissions: actions.filter((action) => !action.startsWith(`${uid}.`)),
  }));
  await client.service.applyAccess({ roles: [], tokens, locales: [] });
  return keys;
}

const ask = async (client: Client, query: string, token: string): Promise<Answer> =>
  request(client.service.url).post('/graphql').auth(token, { type: 'bearer' }).send({ query });

describe.each(folders)('with %s', (_name, contentTypes) => {
  const client = useService({ contentTypes, environment: { RESPONSE_CACHE: '1mb' } });

  test('S12: GraphQL returns no values of a type that the caller may not list', async () => {
    await makeWorld(client.service, 60);
    const types = filledTypes(client.service.registry).filter(({ uid }) => uid.startsWith('api::'));
    const keys = await tokensWithout(client, types);
    let hidden = 0;
    await fc.assert(
      fc.asyncProperty(tape(400), async (numbers) => {
        const query = asGraphql(randomWish(types, choicesOf(numbers)));
        // The response that the others must not get is cached.
        for (let sent = 0; sent < 2; sent += 1) await client.graphql(query);
        const visibleTypes = typesIn((await client.graphql(query)).text);
        for (const [type, key] of keys) {
          const name = typeName(type);
          if (!visibleTypes.has(name)) continue;
          const { text } = await ask(client, query, key);
          expect({ query, without: name, isVisible: typesIn(text).has(name) }).toEqual({
            query,
            without: name,
            isVisible: false,
          });
          hidden += 1;
        }
      }),
      { numRuns: QUERIES },
    );
    // Otherwise there was nothing to hide.
    expect(hidden).toBeGreaterThan(0);
  });
});

describe('relations of a component or zone', () => {
  const closed = useService();
  const open = useService({ plugins: { graphql: { config: { openComponentRelations: true } } } });
  const query =
    '{ articles { data { attributes { title blocks { ... on ComponentBlocksQuote { text source { data { attributes { __typename name } } } } } } } } }';

  test.each([
    ['needs a right', closed, { data: null }],
    ['needs none where the owner says so', open, { data: { attributes: { __typename: 'Author', name: 'Ann' } } }],
  ])('%s', async (_name, client, source) => {
    const author = await client.create('authors', { name: 'Ann' });
    await client.create('articles', {
      title: 'One',
      blocks: [{ __component: 'blocks.quote', text: 'x', source: author }],
    });
    const types = [...client.service.registry.contentTypes.values()].filter(({ uid }) => uid.startsWith('api::'));
    const keys = await tokensWithout(client, types);
    const key = [...keys].find(([{ uid }]) => uid === 'api::author.author')?.[1] ?? '';
    const { body } = await ask(client, query, key);
    const [quote] = body.data.articles.data[0].attributes.blocks;
    expect(quote.source).toEqual(source.data === null ? null : source);
    const codes = (body.errors ?? []).map(({ extensions }: { extensions: { code: string } }) => extensions.code);
    expect(codes).toEqual(source.data === null ? ['FORBIDDEN'] : []);
  });

  test('behind a morph relation always require the permission', async () => {
    for (const client of [closed, open]) {
      const id = await client.create('articles', { title: 'Two' });
      await client.create('comments', { text: 'x', subject: { __type: 'api::article.article', id } });
      const types = [...client.service.registry.contentTypes.values()].filter(({ uid }) => uid.startsWith('api::'));
      const keys = await tokensWithout(client, types);
      const subjectFor = async (without: string): Promise<unknown> => {
        const key = [...keys].find(([{ uid }]) => uid === without)?.[1] ?? '';
        const { body } = await ask(
          client,
          '{ comments { data { attributes { subject { __typename ... on Article { title } } } } } }',
          key,
        );
        return body.data.comments.data[0].attributes.subject;
      };
      expect(await subjectFor('api::author.author')).toEqual({ __typename: 'Article', title: 'Two' });
      expect(await subjectFor('api::article.article')).toBeNull();
    }
  });
});
