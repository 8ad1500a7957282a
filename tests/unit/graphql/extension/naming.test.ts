import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { buildSchema } from 'graphql';
import type { ContentType } from '../../../../src/content-types/model/types.js';
import { loadRegistry } from '../../../../src/app/load-registry.js';
import { createExtension } from '../../../../src/graphql/extension/extension.js';
import { graphqlServices } from '../../../../src/graphql/extension/services.js';

const corpus = 'tests/fixtures/corpus';
const folders = { project: process.cwd(), contentTypes: `${corpus}/content-types`, data: process.cwd() };
const { utils } = graphqlServices(createExtension().service, { defaultLimit: 10, maxLimit: 100 });
const { naming, mappers } = utils;

test("the names of service('utils').naming are those of Strapi v4's schema", async () => {
  const { contentTypes, components } = await loadRegistry({ plugins: {}, folders, environment: 'test' });
  const recorded = buildSchema(await readFile(`${corpus}/schema.graphql`, 'utf8'));
  const article = contentTypes.get('api::article.article') as ContentType;
  const seo = components.get('shared.seo');
  if (seo === undefined) throw new Error('The corpus has no shared.seo');
  const enumeration = [...article.attributes.values()].find(
    (one) => one.kind === 'scalar' && one.type === 'enumeration',
  );
  const types = [
    naming.getTypeName(article),
    naming.getEntityName(article),
    naming.getEntityResponseName(article),
    naming.getEntityResponseCollectionName(article),
    naming.getRelationResponseCollectionName(article),
    naming.getContentTypeInputName(article),
    naming.getFiltersInputTypeName(article),
    naming.getFiltersInputTypeName(seo),
    naming.getScalarFilterInputTypeName('Int'),
    naming.getTypeName(seo),
    naming.getComponentName(seo),
    naming.getComponentInputName(seo),
    naming.getEnumName(article, enumeration?.name ?? ''),
    naming.getDynamicZoneName(article, 'blocks'),
    naming.getDynamicZoneInputName(article, 'blocks'),
  ];
  expect(types.filter((name) => recorded.getType(name) === undefined)).toEqual([]);
  const queries = [naming.getFindOneQueryName(article), naming.getFindQueryName(article)];
  const mutations = [
    naming.getCreateMutationTypeName(article),
    naming.getUpdateMutationTypeName(article),
    naming.getDeleteMutationTypeName(article),
  ];
  expect(Object.keys(recorded.getQueryType()?.getFields() ?? {})).toEqual(expect.arrayContaining(queries));
  expect(Object.keys(recorded.getMutationType()?.getFields() ?? {})).toEqual(expect.arrayContaining(mutations));
  expect(() => naming.getDynamicZoneName(article, 'title')).toThrow('api::article.article has no attribute title');
});

test("service('utils').mappers converts entries to values of schema types", () => {
  const entry = { id: 3, title: 'Three' };
  expect(mappers.entitiesToResponseEntities([entry])).toEqual([{ id: 3, attributes: entry }]);
  expect(mappers.entityToResponseEntity(entry)).toEqual({ id: 3, attributes: entry });
});

test('an unknown service is reported by name', () => {
  const ask = (of: object, name: string): unknown => (of as Readonly<Record<string, unknown>>)[name];
  expect(() => ask(utils, 'types')).toThrow('utils.types is not supported; supported: naming, attributes, mappers');
  expect(() => ask(naming, 'getEntityMetaName')).toThrow(
    /\.service\('utils'\)\.naming\.getEntityMetaName is not supported; supported: getTypeName,/,
  );
});
