import { pruneSchema } from '@graphql-tools/utils';
import { expect, test } from '@jest/globals';
import { buildSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { makeSchema } from '../../../../src/graphql/schema/make-schema.js';

test.each([
  [
    'nothing refers to',
    'type Query { a: A } type A { n: Int } type B { c: C f(in: I): Float } type C { n: Int } input I { n: Int }',
  ],
  [
    'only unused types refer to',
    'type Query { n: Int } enum E { a } union U = B type B { e: E u: U } scalar S input I { s: S }',
  ],
  ['have no members', 'type Query { n: Int a: A u(in: I): Int } type A input I union U'],
  [
    'implement an interface that a field has',
    'type Query { a: A } interface A { n: Int } type B implements A { n: Int }',
  ],
  [
    'implement one that no field has',
    'type Query { b: B } interface A { n: Int } type B implements A { n: Int } type C implements A { n: Int }',
  ],
  ['only arguments have', 'type Query { n(in: I = { e: a }): Int } input I { e: E more: [I!] } enum E { a }'],
])('types that %s are kept or left out as by pruneSchema', (_name, typeDefs) => {
  const print = (schema: ReturnType<typeof buildSchema>): string => printSchema(lexicographicSortSchema(schema));
  expect(print(makeSchema([typeDefs], []))).toBe(print(pruneSchema(buildSchema(typeDefs))));
});

test("a project's argument of a generated field has the type of its definition, which comes first", () => {
  const own = 'extend type Mutation { create(data: Own!, more: Int): Int } input Own { a: Int }';
  const generated =
    'type Query { n(by: Int): Int } type Mutation { create(data: Data!, locale: Int): Int } input Data { b: Int }';
  const printed = printSchema(makeSchema([own, 'type Query { n(by: Int!): Int }', generated], []));
  expect(printed).toContain('create(data: Own!, more: Int, locale: Int): Int');
  expect(printed).toContain('n(by: Int!): Int');
  expect(printed).not.toContain('Data');
});
