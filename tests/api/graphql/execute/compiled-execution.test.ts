import { describe, expect, test } from '@jest/globals';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { execute, isObjectType, parse, type GraphQLResolveInfo } from 'graphql';
import { createResponseBudget } from '../../../../src/documents/response/response-size.js';
import { createExecution } from '../../../../src/graphql/execute/compiled/execute.js';
import type { PlainResolvers } from '../../../../src/graphql/execute/compiled/plan-field.js';
import { askGraphql } from '../../../support/send-graphql.js';
import { commandsOf } from '../../../support/commands.js';
import { useService } from '../../../support/service.js';
import { tokenFor } from '../../plugins/upload/media.js';

const ann = {
  name: 'Ann',
  born: new Date('2020-01-02T03:04:05.000Z'),
  mood: 'so-so',
  tags: ['a', null],
  pet: undefined,
};
const rex = { kind: 'Dog', name: 'Rex', owner: ann, required: null };
const schema = makeExecutableSchema({
  typeDefs: `
    scalar Moment
    enum Mood { so_so }
    union Pet = Dog | Cat
    type Dog { name: String!, owner: Person, required: Int! }
    type Cat { name: String!, lives: Int }
    type Person {
      id: ID, name: String!, born: Moment, mood: Mood, tags: [String], pet: Pet, pets: [Pet!]!
      echo(text: String = "said", times: Int): String, later: String, fails: String, notPlain: String, wrong: Int
    }
    type Query { person(id: ID): Person, people: [Person!]!, nobody: Person, refused: Person, pet(kind: String): Pet }
    type Mutation { person: Person }
  `,
  resolvers: {
    Mood: { so_so: 'so-so' },
    Pet: { __resolveType: ({ kind }: { kind: string }) => kind },
    Person: {
      id: () => 7,
      pets: () => [rex, { kind: 'Cat', name: 'Tom', lives: 9 }],
      echo: (_: unknown, { text, times }: { text: string; times?: number }, __: unknown, info: GraphQLResolveInfo) =>
        `${info.fieldName} ${text} ${times} ${info.fieldNodes.length} ${info.parentType.name}`,
      later: async () => 'later',
      fails: () => {
        throw new Error('failed');
      },
      notPlain: () => 'not plain',
      wrong: () => 'no number',
    },
    Query: {
      person: async () => ann,
      people: async () => [ann, { ...ann, name: 'Bob' }],
      nobody: () => null,
      refused: async () => Promise.reject(new Error('refused')),
      pet: (_: unknown, { kind }: { kind?: string }) => ({ ...rex, kind: kind ?? 'Dog' }),
    },
    Mutation: { person: () => ann },
  },
});

const plain: PlainResolvers = new WeakMap();
for (const type of Object.values(schema.getTypeMap())) {
  if (!isObjectType(type)) continue;
  for (const { name, resolve } of Object.values(type.getFields())) {
    if (resolve !== undefined && name !== 'notPlain') plain.set(resolve, resolve);
  }
}
const { execute: executePlainly } = createExecution(plain);

type Variables = Readonly<Record<string, unknown>>;

const both = async (query: string, variableValues: Variables = {}, document = parse(query)) => {
  const args = { schema, document, variableValues, contextValue: { budget: createResponseBudget(10_000) } };
  const [mine, theirs] = [await executePlainly(args), await execute(args)];
  // graphql-js makes answers without a prototype.
  const isMine = mine.data != null && Object.getPrototypeOf(mine.data) === Object.prototype;
  return { mine: JSON.stringify(mine), theirs: JSON.stringify(theirs), isMine };
};

describe('compiled execution returns the result of graphql-js', () => {
  test.each<[string, Variables?]>([
    ['{ person { id name born mood tags pet { __typename } pets { __typename } __typename } __typename }'],
    ['{ nobody { name } people { b: name a: name name } }'],
    ['{ person { echo said: echo(text: "x") echoed: echo(text: null, times: 2) } }'],
    ['query ($t: String, $n: Int = 3) { person { echo(text: $t, times: $n) } }', { t: 'y' }],
    ['query ($t: String) { person { echo(text: $t) } }'],
    ['query ($no: Boolean!) { person { name @skip(if: $no) id @include(if: $no) } }', { no: true }],
    ['{ person { pets { ... on Dog { name owner { name } } ...C } } } fragment C on Cat { __typename lives name }'],
    ['{ pet { ...D ... on Pet { __typename } } } fragment D on Dog { name owner { id } owner { name } }'],
  ])('%s', async (...[query, variables]) => {
    const { mine, theirs, isMine } = await both(query, variables);
    expect(mine).toBe(theirs);
    expect(isMine).toBe(true);
  });
});

describe('a repeated document', () => {
  test.each<[string, string, readonly Variables[]]>([
    ['gives the same', '{ people { name pet { __typename } } pet { ... on Dog { name owner { id } } } }', [{}, {}, {}]],
    [
      'is asked with its own variables at its root',
      'query ($kind: String) { pet(kind: $kind) { __typename ... on Cat { lives } } }',
      [{ kind: 'Cat' }, { kind: 'Dog' }, {}],
    ],
    [
      'and within, also in fragments and directives',
      'query ($t: String, $on: Boolean!) { person { ...P } } fragment P on Person { echo(text: $t) name @skip(if: $on) }',
      [{ t: 'x', on: true }, { t: 'y', on: false }, { on: true }],
    ],
  ])('%s', async (_, query, requests) => {
    const document = parse(query);
    for (const variables of requests) {
      const { mine, theirs, isMine } = await both(query, variables, document);
      expect(mine).toBe(theirs);
      expect(isMine).toBe(true);
    }
  });

  test('is executed in the context of its own request', async () => {
    const document = parse('{ person { name ...W } } fragment W on Person { who }');
    const whose = makeExecutableSchema({
      typeDefs: 'type Person { name: String, who: String } type Query { person: Person }',
      resolvers: {
        Query: { person: () => ann },
        Person: { who: (_: unknown, __: unknown, { caller }: { caller: string }) => caller },
      },
    });
    const resolvers = Object.values(whose.getTypeMap())
      .filter(isObjectType)
      .flatMap((type) => Object.values(type.getFields()));
    const { execute: run } = createExecution(
      new WeakMap(resolvers.flatMap(({ resolve }) => (resolve === undefined ? [] : [[resolve, resolve]]))),
    );
    for (const caller of ['Ann', 'Bob']) {
      const { data } = await run({
        schema: whose,
        document,
        contextValue: { caller, budget: createResponseBudget(10_000) },
      });
      expect(data).toStrictEqual({ person: { name: 'Ann', who: caller } });
    }
  });
});

describe('graphql-js executes everything that cannot be compiled', () => {
  test.each<[string, string, Variables?]>([
    ['a mutation', 'mutation { person { name } }'],
    ['introspection', '{ __schema { queryType { name } } }'],
    ["another's resolver", '{ person { name notPlain } }'],
    ['a promise', '{ person { name later } }'],
    ['an error', '{ person { name fails } }'],
    ['a field that is refused', '{ refused { name } person { name } }'],
    ['a value that does not fit', '{ person { wrong } }'],
    ['null where there must be none', '{ pet { ... on Dog { name required } } }'],
    ['a type that is not a member', '{ pet(kind: "Person") { __typename } }'],
    ['a type that there is not', '{ pet(kind: "Cow") { __typename } }'],
    ['variables that do not fit', 'query ($n: Int) { person { echo(times: $n) } }', { n: 'x' }],
    ['a missing argument', 'query ($n: Int!) { person { echo(times: $n) } }'],
    ['the name of the prototype', '{ __proto__: __typename }'],
    ['the name of the prototype within', '{ person { __proto__: name } }'],
  ])('%s', async (...[, query, variables]) => {
    const { mine, theirs, isMine } = await both(query, variables);
    expect(mine).toBe(theirs);
    expect(isMine).toBe(false);
  });
});

test('the executor of each operation is reported', async () => {
  const executors: string[] = [];
  const { execute: run } = createExecution(plain, { observe: (executor) => executors.push(executor) });
  for (const query of ['{ person { name } }', '{ person { notPlain } }', '{ person { fails } }']) {
    await run({ schema, document: parse(query), contextValue: { budget: createResponseBudget(10_000) } });
  }
  expect(executors).toEqual(['compiled', 'graphql-js', 'both']);
});

const client = useService();

test('a refused operation does not read data twice', async () => {
  const author = await client.create('authors', { name: 'Ann' });
  await client.create('articles', { title: 'One', author });
  const token = await tokenFor(client.service, 'api::article.article.find');
  const count = async (fields: string) => {
    const query = `{ articles { data { attributes { title ${fields} } } } again: articles { data { id } } }`;
    const names = await commandsOf(client.service, async () => {
      const { data, errors } = await askGraphql(client, query, { token });
      expect(data.articles.data[0].attributes.title).toBe('One');
      expect(errors?.map(({ message }) => message)).toEqual(fields === '' ? undefined : ['Forbidden access']);
    });
    return names.filter((name) => name !== 'versions').length;
  };
  expect(await count('author { data { id } }')).toBe(await count(''));
});
