import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { buildSchema, lexicographicSortSchema, printSchema, type GraphQLSchema } from 'graphql';
import { enabledPlugins, loadRegistry } from '../../../../src/app/load-registry.js';
import { generateSchema } from '../../../../src/graphql/schema/generate.js';
import { makeSchema } from '../../../../src/graphql/schema/make-schema.js';
import { createSchemaForm } from '../../src/graphql/schema-form.js';
import { rulesOf } from '../../src/graphql/rules.js';
import { createParts } from '../../src/graphql/parts.js';
import type { FormContext } from '../../../../src/plugins/contract/plugin-context.js';
import type { BuiltInContext } from '../../../../src/plugins/contract/built-in.js';

const sorted = (schema: GraphQLSchema): string => printSchema(lexicographicSortSchema(schema));

test("the schema is Strapi 5's, for the same content types", async () => {
  const config = {
    plugins: {},
    folders: { project: process.cwd(), contentTypes: 'tests/fixtures/corpus/content-types', data: process.cwd() },
    environment: 'test',
  } as const;
  const registry = await loadRegistry(config);
  const made = await Promise.all(
    (await enabledPlugins(config)).map(async (plugin) => plugin.graphql?.({ registry } as BuiltInContext)),
  );
  const parts = made.filter((part) => part !== undefined);
  const generated = generateSchema(registry, rulesOf(registry, parts), undefined, () => createSchemaForm(registry));
  const resolvers = [
    generated.resolvers,
    ...parts.map(({ resolvers: { I18NLocaleCode } }) => ({ ...(I18NLocaleCode && { I18NLocaleCode }) })),
  ];
  const ofPlugins = createParts({ registry } as FormContext)?.(parts);
  const typeDefs = [generated.typeDefs, ...(ofPlugins ?? []).map((part) => part.typeDefs)];
  const schema = makeSchema(typeDefs, resolvers, undefined, true);
  const recorded = buildSchema(await readFile('packages/strapi5/tests/fixtures/schema.graphql', 'utf8'));
  expect(sorted(schema)).toBe(sorted(recorded));
});
