import { expect, test } from '@jest/globals';
import { printType } from 'graphql';
import { inputObjectType, makeSchema, queryType } from 'nexus';
import { loadRegistry } from '../../../../src/app/load-registry.js';
import { createExtension } from '../../../../src/graphql/extension/extension.js';
import { graphqlServices } from '../../../../src/graphql/extension/services.js';

const folders = { project: process.cwd(), contentTypes: 'tests/fixtures/corpus/content-types', data: process.cwd() };

const limits = { defaultLimit: 10, maxLimit: 100 };
const article = { uid: 'api::article.article' };

test("service('builders').utils.transformArgs converts field arguments to parameters of entityService", async () => {
  const registry = await loadRegistry({ plugins: {}, folders, environment: 'test' });
  const running = () => registry;
  const { transformArgs } = graphqlServices(createExtension().service, limits, running).builders.utils;
  const paged = { contentType: article, usePagination: true };
  const filters = { or: [{ title: { eq: 'Tea' } }, { author: { name: { containsi: 'ann' } } }] };
  expect([
    transformArgs({}, { contentType: article }),
    transformArgs({}, paged),
    transformArgs({ pagination: { page: 3, pageSize: 5 } }, paged),
    transformArgs({ pagination: { limit: -1 }, sort: ['title'] }, paged),
    transformArgs({ filters, locale: 'fr' }, { contentType: article }),
    transformArgs({ filters: { views: { gt: 1, lt: 5 }, title: { eq: null } } }, { contentType: article }),
  ]).toEqual([
    {},
    { start: 0, limit: 10 },
    { start: 10, limit: 5 },
    { start: 0, limit: 100, sort: ['title'] },
    {
      locale: 'fr',
      filters: { $or: [{ title: { $eq: 'Tea' } }, { author: { name: { $containsi: 'ann' } } }] },
    },
    { filters: { views: { $gt: 1, $lt: 5 }, title: { $eq: null } } },
  ]);
  expect(() => transformArgs({ pagination: { page: 1, start: 1 } }, paged)).toThrow('Cannot use both page');
  expect(() => transformArgs({ filters }, { contentType: { uid: 'api::none.none' } })).toThrow(
    'Model api::none.none not found',
  );
});

test('filters cannot be converted before the service runs', () => {
  const { mappers } = graphqlServices(createExtension().service, limits).utils;
  expect(() => mappers.graphQLFiltersToStrapiQuery({}, article)).toThrow('before bootstrap');
});

test("service('builders').filters.operators add their fields to the filter input of a scalar or content type", () => {
  const { operators } = graphqlServices(createExtension().service, limits).builders.filters;
  const filtersOf = (name: string, operand: string) =>
    inputObjectType({
      name,
      definition: (t) => {
        for (const operator of ['and', 'not', 'eq', 'null', 'in'] as const) operators[operator]?.add(t, operand);
      },
    });
  const numbers = inputObjectType({ name: 'IntFilterInput', definition: (t) => t.int('eq') });
  const query = queryType({ definition: (t) => t.string('any') });
  const types = [filtersOf('NoteFilters', 'NoteFilters'), filtersOf('Numbers', 'Int'), numbers, query];
  const schema = makeSchema({ types, outputs: false });
  const printed = ['NoteFilters', 'Numbers'].map((name) => {
    const type = schema.getType(name);
    return type && printType(type).replace(/\s+/g, ' ');
  });
  expect(printed).toEqual([
    'input NoteFilters { and: [NoteFilters] not: NoteFilters eq: NoteFilters null: Boolean in: [NoteFilters] }',
    'input Numbers { and: [Int] not: IntFilterInput eq: Int null: Boolean in: [Int] }',
  ]);
  expect(operators['notContainsi']).toMatchObject({ fieldName: 'notContainsi', strapiOperator: '$notContainsi' });
});

test("service('utils') knows the kinds of attributes and the scalars of their values", () => {
  const { attributes, mappers } = graphqlServices(createExtension().service, limits).utils;
  expect(['uid', 'biginteger', 'timestamp', 'relation'].map(mappers.strapiScalarToGraphQLScalar)).toEqual([
    'String',
    'Long',
    'DateTime',
    undefined,
  ]);
  const link = { type: 'relation', relation: 'morphToMany' };
  expect([attributes.isStrapiScalar({ type: 'richtext' }), attributes.isStrapiScalar(link)]).toEqual([true, false]);
  expect([attributes.isMorphRelation(link), attributes.isRelation(link), attributes.isMedia(link)]).toEqual([
    true,
    true,
    false,
  ]);
  expect([attributes.isGraphQLScalar({ type: 'ID' }), attributes.isGraphQLScalar({ type: 'uid' })]).toEqual([
    true,
    false,
  ]);
});

test('shadowCRUD reports the state of fields that are not attributes, and refuses to disable unknown ones', async () => {
  const registry = await loadRegistry({ plugins: {}, folders, environment: 'test' });
  const { service, shadow } = createExtension();
  const { field } = service.shadowCRUD(article.uid);
  expect([field('id').hasFiltersEnabeld(), field('createdBy').hasOutputEnabled()]).toEqual([true, true]);
  expect(shadow.rules(registry)).toEqual([]);
  expect(field('id').disableFilters().hasFiltersEnabeld()).toBe(false);
  expect(shadow.rules(registry)).toEqual([{ uid: article.uid, field: 'id', without: 'filters' }]);
  field('none').disableInput();
  expect(() => shadow.rules(registry)).toThrow("field('none'): unknown attribute");
});
