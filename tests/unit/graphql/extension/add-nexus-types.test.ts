import { expect, test } from '@jest/globals';
import { graphql, lexicographicSortSchema, printSchema } from 'graphql';
import * as nexus from 'nexus';
import { addNexusTypes } from '../../../../src/graphql/extension/add-nexus-types.js';
import { makeSchema } from '../../../../src/graphql/schema/make-schema.js';

const typeDefs = `
  type Query { cat(filters: CatFilters): Cat pets: [Pet!] tail: Tail }
  type Cat { name: String! mood(of: Mood = good): Mood }
  type Dog { name: String }
  union Pet = Cat | Dog
  enum Mood { good bad }
  scalar Day
  input CatFilters { name: String and: [CatFilters] mood: Mood }
  interface Tail { length: Int dog: Dog }
`;
const tom = { name: 'Tom', __typename: 'Cat' };
const resolvers = {
  Query: { cat: () => tom, pets: () => [tom] },
  Mood: { good: 1, bad: 2 },
  Cat: { mood: (_cat: unknown, { of }: Record<string, unknown>) => of },
};

async function* cats() {
  yield await Promise.resolve(tom);
}

const types = [
  nexus.objectType({
    name: 'House',
    definition: (t) => {
      t.implements('Tail');
      t.nonNull.list.nonNull.field('cats', { type: 'Cat', args: { filters: 'CatFilters', day: 'Day', on: 'Range' } });
      t.list.field('pets', { type: 'Pet', resolve: () => [tom] });
    },
  }),
  nexus.enumType({ name: 'Range', members: { near: 7, far: 8 } }),
  nexus.unionType({
    name: 'Thing',
    definition: (t) => t.members('House', 'Dog'),
    resolveType: () => 'Dog',
  }),
  nexus.extendType({
    type: 'Query',
    definition: (t) => {
      t.field('house', { type: 'House', resolve: () => ({ cats: [tom] }) });
      t.field('thing', { type: 'Thing', resolve: () => ({ name: 'Rex' }) });
      t.field('tail', { type: 'Dog', resolve: () => ({ name: 'instead' }) });
    },
  }),
  nexus.extendType({ type: 'Cat', definition: (t) => t.int('lives', { resolve: () => 9 }) }),
  nexus.extendInputType({ type: 'CatFilters', definition: (t) => t.field('near', { type: 'Range', default: 7 }) }),
  nexus.mutationType({ definition: (t) => t.field('feed', { type: 'Cat', resolve: () => tom }) }),
  nexus.subscriptionType({
    definition: (t) => t.field('meows', { type: 'Cat', subscribe: () => cats(), resolve: () => tom }),
  }),
];

test('types of nexus extend a schema as they do when nexus builds all of it', async () => {
  const extend = (plugins: readonly ReturnType<typeof nexus.plugin>[]) =>
    makeSchema([typeDefs], [resolvers], (schema) => addNexusTypes(schema, () => nexus, { types, plugins }));
  const [light, full] = [extend([]), extend([nexus.plugin({ name: 'any' })])];
  expect(printSchema(lexicographicSortSchema(light))).toBe(printSchema(lexicographicSortSchema(full)));

  const source = `{
    cat { mood lives } pets { ... on Cat { lives } } thing { ... on Dog { name } } tail { name }
    house { cats(on: far) { name lives } pets { ... on Cat { name } } }
  }`;
  const { data, errors } = await graphql({ schema: light, source });
  expect(errors).toBeUndefined();
  expect(data).toEqual({
    cat: { mood: 'good', lives: 9 },
    pets: [{ lives: 9 }],
    thing: { name: 'Rex' },
    tail: { name: 'instead' },
    house: { cats: [{ name: 'Tom', lives: 9 }], pets: [{ name: 'Tom' }] },
  });
  expect(await graphql({ schema: light, source: 'mutation { feed { lives } }' })).toEqual({
    data: { feed: { lives: 9 } },
  });
});

test('a type of nexus that refers to a missing type is refused', () => {
  const lost = nexus.extendType({ type: 'Query', definition: (t) => t.field('lost', { type: 'Lost' as 'House' }) });
  const extend = (): unknown =>
    makeSchema([typeDefs], [], (schema) => addNexusTypes(schema, () => nexus, { types: [lost], plugins: [] }));
  expect(extend).toThrow(/Lost/);
});

test("Strapi's scalars are methods of nexus, in types, inputs and arguments", () => {
  const names = ['json', 'dateTime', 'time', 'date', 'long', 'upload'];
  const scalars = 'scalar JSON scalar DateTime scalar Time scalar Date scalar Long scalar Upload';
  const define = (t: object): void => {
    for (const name of names) (t as Readonly<Record<string, (field: string) => void>>)[name]?.(name);
  };
  const own = [
    nexus.objectType({ name: 'Kept', definition: define }),
    nexus.inputObjectType({ name: 'KeptInput', definition: define }),
    nexus.extendType({
      type: 'Query',
      definition: (t) =>
        t.list.field('kept', { type: 'Kept', args: { by: 'KeptInput', on: nexus.arg({ type: 'Date' }) } }),
    }),
  ];
  const fields = names.map((name) => `  ${name}: ${name === 'json' ? 'JSON' : name[0]?.toUpperCase() + name.slice(1)}`);
  for (const plugins of [[], [nexus.plugin({ name: 'none' })]]) {
    const schema = makeSchema([`type Query { any: JSON } ${scalars}`], [], (base) =>
      addNexusTypes(base, () => nexus, { types: own, plugins }),
    );
    const printed = printSchema(schema);
    expect(printed).toContain(`type Kept {\n${fields.join('\n')}\n}`);
    expect(printed).toContain(`input KeptInput {\n${fields.join('\n')}\n}`);
  }
});
