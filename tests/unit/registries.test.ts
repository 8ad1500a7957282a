import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { ContentType } from '../../src/content-types/model/types.js';
import { idIs, type Filter, type Query } from '../../src/query/ast.js';
import { generatedFiles } from '../support/generated-files.js';
import type { BuiltInPlugin } from '../../src/plugins/contract/built-in.js';

test('the client and the editor have the rows of the tables', () => {
  const files = generatedFiles();
  for (const [path, text] of Object.entries(files)) expect([path, readFileSync(path, 'utf8')]).toEqual([path, text]);
});

describe('an operator, an attribute type, a parameter and a route of one row each', () => {
  let found: Awaited<ReturnType<typeof findRows>>;
  beforeAll(async () => {
    // Other modules than those of other tests, which must not see the rows.
    await jest.isolateModulesAsync(async () => {
      found = await findRows();
    });
  });

  test('are parsed in REST', () => {
    expect(found.filter).toMatchObject({ kind: 'comparison', operator: '$like', operands: ['a%'] });
    expect(found.withNull).toMatchObject({ kind: 'comparison', operator: '$null' });
    expect(found.field).toMatchObject({ name: 'site', type: 'hostname', maxLength: 9, searchable: true });
  });

  test('a parameter is parsed in REST, also of a populated attribute, and applied', () => {
    expect(found.query).toMatchObject({
      parameters: { within: 7 },
      populate: [{ query: { parameters: { within: 3 } } }],
    });
    expect(found.applied).toMatchObject({ kind: 'comparison', operator: '$gt', operands: [7] });
    expect(found.query.filter).toMatchObject({ kind: 'comparison', operands: [4] });
    expect(found.invalid).toThrow('populate[other][within]');
    expect(found.hints).toEqual(['withi; did you mean within?']);
  });

  test('a parameter is an argument in GraphQL', () => {
    expect(found.sdl).toContain('thing(id: ID, within: Int): ThingEntityResponse');
    expect(found.sdl).toMatch(/things\(filters: ThingFiltersInput, [^)]*within: Int\)/);
    expect(found.sdl).toContain('createThing(data: ThingInput!, within: Int)');
    expect(found.argument).toEqual({ within: 7 });
    expect(found.sdl).toMatch(/things\(filters: ThingFiltersInput, since: Int, pagination/);
    expect(found.sdl).toMatch(/others\(filters: ThingFiltersInput, since: Int, pagination[^)]*\): ThingRelation/);
    expect(found.listing).toMatchObject({ filter: { kind: 'comparison', operands: [5] } });
  });

  test('are in the GraphQL schema, the operator at its place', () => {
    expect(found.sdl).toMatch(/input StringFilterInput \{[^}]*\n\s*eq: String\s+like: String\s+eqi: String/);
    expect(found.sdl).toMatch(/type Thing \{[^}]*\n\s*site: String/);
    expect(found.sdl).toMatch(/input ThingFiltersInput \{[^}]*\n\s*site: StringFilterInput/);
  });

  test('are in the OpenAPI description', () => {
    expect(found.api).toMatchObject({
      components: {
        schemas: {
          Condition: { anyOf: [{}, { properties: { $like: { type: ['string', 'number', 'boolean'] } } }] },
          ThingInput: { properties: { site: { type: ['string', 'null'], format: 'hostname' } } },
          Thing: expect.anything(),
        },
      },
    });
    const within: unknown = { name: 'within', in: 'query', description: 'Days', schema: { type: 'integer' } };
    const since: unknown = { name: 'since', in: 'query', schema: { type: 'integer' } };
    expect(found.api).toMatchObject({ paths: { '/things': { get: { parameters: expect.arrayContaining([since]) } } } });
    const has: unknown = { parameters: expect.arrayContaining([within]) };
    expect(found.api).toMatchObject({ paths: { '/things': { get: has, post: has }, '/things/{id}': { get: has } } });
  });

  test('a route of content types is in REST, in OpenAPI for who has its permission, and can be granted', () => {
    expect(found.matched).toEqual([['newest', 'GET', 'inspect']]);
    const newest = { operationId: 'newestThing', summary: 'Read the newest', tags: ['thing'] };
    expect(found.api).toMatchObject({ paths: { '/things/newest': { get: newest } } });
    expect(found.allowed).toMatchObject({ paths: { '/things/newest': { get: newest } } });
    expect(Object.keys(found.allowed['paths'] as object)).toEqual(['/things/newest']);
    expect(found.actions).toContain('api::thing.thing.inspect');
  });

  test('are in generated types and those of the client', () => {
    expect(found.types).toContain('site: `${string}.${string}` | null');
    expect(found.files['packages/client/src/comparisons.ts']).toContain('  readonly $like?: V;\n');
  });

  test('are in the description of the editor', () => {
    const site: unknown = expect.objectContaining({ name: 'site', type: 'hostname', maxLength: 9 });
    expect(found.content).toMatchObject({ contentTypes: [{ attributes: expect.arrayContaining([site]) }] });
    // How its lists filter by them, the editor says itself, and does not compile without.
    expect(found.files['packages/editor/src/browser/model/attribute-types.ts']).toContain(
      "  hostname: { value: 'text', title: true",
    );
  });
});

/** Adds the rows, and looks for them wherever operators and types are listed. */
async function findRows() {
  const { operators } = await import('../../src/query/operators.js');
  const { attributeTypes } = await import('../../src/content-types/model/attribute-types.js');
  Object.assign(operators, {
    $like: { operands: 'each', text: true, withNull: '$null', graphql: 1.5 },
  });
  Object.assign(attributeTypes, {
    hostname: {
      ...attributeTypes.string,
      typescript: { answered: () => '`${string}.${string}`' },
      openApi: { answered: { type: 'string', format: 'hostname' } },
    },
  });
  const { contentType, define } = await import('./content-types/define.js');
  const { AppError } = await import('../../src/errors/app-error.js');
  const within: NonNullable<BuiltInPlugin['parameters']>[number] = {
    name: 'within',
    part: 'scope',
    isOn: ({ kind }) => kind === 'collectionType',
    parse: (value, path) => {
      if (Number.isInteger(Number(value))) return Number(value);
      throw new AppError('invalidParameter', path);
    },
    apply: (query) => ({
      ...query,
      filter: { ...idIs(Number(query.parameters['within'])), operator: '$gt' } as Filter,
    }),
    openApi: { description: 'Days', schema: { type: 'integer' } },
    graphql: { type: 'Int' },
    typescript: 'number',
  };
  const { parameters, parseQuery } = await import('../../src/query/parse/parse-query.js');
  (parameters as (typeof parameters)[number][]).push({
    name: 'since',
    part: 'filter',
    parse: (value) => (value === undefined ? {} : { filter: idIs(Number(value)) }),
    openApi: () => ({ schema: { type: 'integer' } }),
    graphql: () => 'Int',
    typescript: 'number',
  });
  const { contentTypeRoutes } = await import('../../src/plugins/contract/content-type-routes.js');
  Object.assign(contentTypeRoutes, {
    newest: {
      method: 'GET',
      kind: 'collectionType',
      path: '/newest',
      action: 'inspect',
      describe: () => ({ summary: 'Read the newest', errors: [400] }),
    },
  });
  const { rowsByPath } = await import('../../src/rest/routes.js');
  const { listActions } = await import('../../src/plugins/contract/access/actions.js');
  const { link } = await import('../../src/content-types/link/link.js');
  const { parseFilters } = await import('../../src/query/parse/parse-filters.js');
  const { generateSchema } = await import('../../src/graphql/schema/generate.js');
  const { describeStrapiV4 } = await import('../../src/plugins/documentation/describe-apis.js');
  const { describeTypes } = await import('../../src/plugins/contract/describe-types.js');
  const { describeContent } = await import('../../src/plugins/contract/describe-content.js');
  const { system } = await import('../../src/documents/caller.js');
  const generated = await import('../support/generated-files.js');

  const { parseListing } = await import('../../src/graphql/execute/listing.js');
  const { parseValues } = await import('../../src/query/plugin-parameters.js');
  const { hintsOf } = await import('../../src/query/hints.js');
  const other = { type: 'relation', relation: 'oneToOne', target: 'api::thing.thing' };
  const others = { type: 'relation', relation: 'oneToMany', target: 'api::thing.thing' };
  const thing = contentType('thing', { site: { type: 'hostname', maxLength: 9 }, other, others });
  const registry = link(define(thing), { parameters: [within] });
  const type = registry.contentTypes.get('api::thing.thing') as ContentType;
  const { attributes } = type;
  const limits = { defaultLimit: 25, maxLimit: 100, withCount: true, populateLimit: 9 };
  const queryWith = (value: string): Query =>
    parseQuery({ within: '7', since: '4', populate: { other: { within: value } } }, type, 'client', limits);
  const describe = (granted?: readonly string[]) =>
    describeStrapiV4(
      {
        limits,
        http: { reachable: () => ({ routes: [], hasRoute: () => true }) },
        settings: { prefix: '/api', events: { record: false } },
      },
      { registry, may: (action) => granted?.includes(action) !== false },
    );
  return {
    field: attributes.get('site'),
    filter: parseFilters({ site: { $like: 'a%' } }, attributes, 'client'),
    withNull: parseFilters({ site: { $like: null } }, attributes, 'client'),
    query: queryWith('3'),
    applied: within.apply?.(queryWith('3'), { action: 'find', caller: system }).filter,
    invalid: () => queryWith('x'),
    hints: hintsOf({ withi: 1 }, type),
    listing: parseListing({ since: 5 }, type, system, limits),
    argument: parseValues({ within: 7, data: {} }, type, 'scope'),
    sdl: generateSchema(registry).typeDefs,
    api: describe(),
    matched: (rowsByPath().get('/newest') ?? []).map(({ name, method, action }) => [name, method, action]),
    allowed: describe(['api::thing.thing.inspect']),
    actions: listActions(registry, [], []),
    types: describeTypes(registry),
    content: describeContent(
      {
        registry,
        auth: { actions: [] },
        settings: { drafts: 'open' },
        http: {
          fileLimit: undefined,
          reachable: () => ({ routes: [], hasRoute: () => true }),
          answererOf: () => 'core',
        },
      },
      system,
    ),
    files: generated.generatedFiles(),
  };
}
