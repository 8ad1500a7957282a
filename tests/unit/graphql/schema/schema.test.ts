import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { buildSchema, graphqlSync, lexicographicSortSchema, printSchema, type GraphQLSchema } from 'graphql';
import type { Registry } from '../../../../src/content-types/model/types.js';
import { enabledPlugins, loadRegistry } from '../../../../src/app/load-registry.js';
import type { BuiltInContext, BuiltInPlugin } from '../../../../src/plugins/contract/built-in.js';
import type { GraphqlParts, ShadowRule } from '../../../../src/plugins/contract/graphql/parts.js';
import { generateSchema, type GeneratedSchema } from '../../../../src/graphql/schema/generate.js';
import { makeSchema } from '../../../../src/graphql/schema/make-schema.js';

const corpus = 'tests/fixtures/corpus';
const config = {
  plugins: {},
  folders: { project: process.cwd(), contentTypes: `${corpus}/content-types`, data: process.cwd() },
  environment: 'test',
} as const;
let plugins: readonly BuiltInPlugin[];
let registry: Registry;
let parts: readonly GraphqlParts[];

beforeAll(async () => {
  plugins = await enabledPlugins(config);
  registry = await loadRegistry(config);
  const made = await Promise.all(plugins.map(async (plugin) => plugin.graphql?.({ registry } as BuiltInContext)));
  parts = made.filter((part) => part !== undefined);
});

/** The schema of the corpus's content types with what the plugins add; they make it before the service has started. */
function make(further: readonly ShadowRule[] = []): GeneratedSchema & { readonly schema: GraphQLSchema } {
  const generated = generateSchema(registry, [...parts.flatMap(({ rules = [] }) => rules), ...further]);
  const definitions = [generated.typeDefs, ...parts.map(({ typeDefs }) => typeDefs)];
  const schema = makeSchema(definitions, [generated.resolvers, ...parts.map(({ resolvers }) => resolvers)]);
  return { ...generated, schema };
}

const sorted = (schema: GraphQLSchema): string => printSchema(lexicographicSortSchema(schema));

describe('the schema', () => {
  test("is Strapi v4's, for the same content types", async () => {
    const recorded = buildSchema(await readFile(`${corpus}/schema.graphql`, 'utf8'));
    expect(sorted(make().schema)).toBe(sorted(recorded));
  });

  test('is deterministic for the same content types', () => {
    expect(make().typeDefs).toBe(make().typeDefs);
  });

  test('has the directives of Strapi v4', () => {
    const { data } = graphqlSync({ schema: make().schema, source: '{ __schema { directives { name } } }' });
    const names = ['deprecated', 'include', 'skip', 'specifiedBy'].map((name) => ({ name }));
    expect(data).toEqual({ __schema: { directives: expect.arrayContaining(names) } });
    expect(make().schema.getDirectives()).toHaveLength(names.length);
  });

  test('has root fields with their required actions', () => {
    const { query, mutation } = make();
    const type = registry.contentTypes.get('api::setting.setting');
    expect(query.get('setting')).toMatchObject({ operation: 'findSingle', type, action: 'api::setting.setting.find' });
    expect(mutation.get('deleteTag')).toMatchObject({ operation: 'delete', action: 'api::tag.tag.delete' });
    expect(query.has('usersPermissionsPermissions')).toBe(false);
  });

  test('has the required action of each root field of a plugin', () => {
    const { query, mutation, schema } = make();
    const declared = new Set(parts.flatMap(({ actions }) => Object.keys(actions)));
    const fields = [
      ...Object.keys(schema.getQueryType()?.getFields() ?? {}).map(
        (name) => [`Query.${name}`, query.has(name)] as const,
      ),
      ...Object.keys(schema.getMutationType()?.getFields() ?? {}).map(
        (name) => [`Mutation.${name}`, mutation.has(name)] as const,
      ),
    ];
    expect(fields.filter(([path, isGenerated]) => !isGenerated && !declared.has(path))).toEqual([]);
  });
});

describe('rules', () => {
  test('remove mutations, single actions, and input fields', () => {
    const { schema, query, mutation } = make([
      { uid: 'api::tag.tag', without: 'mutations' },
      { uid: 'api::tag.tag', without: 'find' },
      { uid: 'api::article.article', field: 'rating', without: 'input' },
    ]);
    expect([query.has('tag'), query.has('tags'), mutation.has('createTag')]).toEqual([true, false, false]);
    expect(sorted(schema).match(/ {2}rating: .*/g)).toEqual(['  rating: Float', '  rating: FloatFilterInput']);
    expect(schema.getType('TagInput')).toBeUndefined();
  });

  test('remove a content type with all references to it', () => {
    const { schema } = make([{ uid: 'api::page.page', without: 'type' }]);
    expect(sorted(schema)).not.toMatch(/\bPage|\bpage(?:s)?\(/);
    expect(sorted(schema)).toMatch(/type Section {/);
  });

  test('remove fields of components, and filters by id', () => {
    const { schema } = make([
      { uid: 'shared.link', field: 'url', without: 'output' },
      { uid: 'shared.link', field: 'id', without: 'output' },
      { uid: 'api::tag.tag', field: 'id', without: 'filters' },
    ]);
    const text = sorted(schema);
    expect(text).toContain('type ComponentSharedLink {\n  external: Boolean\n  label: String!\n  priority: Int\n}');
    expect(/input TagFiltersInput {[^}]*}/.exec(text)?.[0]).not.toContain('id: IDFilterInput');
  });
});
