import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { buildSchema, lexicographicSortSchema, printType, type GraphQLSchema } from 'graphql';
import { enabledPlugins, loadRegistry } from '../../../src/load-registry.js';
import type { Registry } from '../../../src/content-types/types.js';
import { generateSchema } from '../../../src/plugins/graphql/schema/generate.js';
import { makeSchema } from '../../../src/plugins/graphql/schema/make-schema.js';

const contentTypes = 'tests/fixtures/corpus/content-types';
let registry: Registry;

beforeAll(async () => {
  const plugins = await enabledPlugins({ plugins: {}, folders: { project: process.cwd() } });
  registry = await loadRegistry({ folders: { contentTypes } }, plugins);
});

const printNamed = (schema: GraphQLSchema, name: string): string => {
  const type = lexicographicSortSchema(schema).getType(name);
  return type ? printType(type) : '';
};

describe('the generated schema', () => {
  test('says of a component what Strapi v4 says', async () => {
    const schema = makeSchema([generateSchema(registry).typeDefs, 'scalar I18NLocaleCode'], []);
    const recorded = buildSchema(await readFile('tests/fixtures/corpus/schema.graphql', 'utf8'));
    for (const name of ['ComponentSharedLink', 'ComponentSharedLinkInput', 'ArticleBlocksDynamicZone', 'Product']) {
      expect(printNamed(schema, name)).toBe(printNamed(recorded, name));
    }
  });

  test('has root fields with the action that each demands', () => {
    const { query, mutation } = generateSchema(registry);
    const type = registry.contentTypes.get('api::setting.setting');
    expect(query.get('setting')).toEqual({ operation: 'findSingle', type, action: 'api::setting.setting.find' });
    expect(mutation.get('deleteTag')).toMatchObject({ operation: 'delete', action: 'api::tag.tag.delete' });
    expect(query.has('seoCards')).toBe(true);
  });

  test('leaves out what rules say', () => {
    const { typeDefs, query, mutation } = generateSchema(registry, [
      { uid: 'api::tag.tag', without: 'mutations' },
      { uid: 'api::tag.tag', without: 'find' },
      { uid: 'api::page.page', without: 'type' },
      { uid: 'api::article.article', field: 'rating', without: 'input' },
    ]);
    expect([query.has('tag'), query.has('tags'), mutation.has('createTag')]).toEqual([true, false, false]);
    expect(typeDefs).not.toContain('Page {');
    expect(typeDefs.match(/ {2}rating: .*/g)).toEqual(['  rating: FloatFilterInput', '  rating: Float'].toReversed());
  });
});
