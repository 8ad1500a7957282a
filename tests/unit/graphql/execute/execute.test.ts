import { describe, expect, test } from '@jest/globals';
import { makeExecutableSchema } from '@graphql-tools/schema';
import {
  execute as executeByGraphqlJs,
  getOperationAST,
  GraphQLError,
  isObjectType,
  parse,
  type DocumentNode,
  type GraphQLResolveInfo,
  type OperationDefinitionNode,
} from 'graphql';
import { createResponseBudget } from '../../../../src/documents/response/response-body.js';
import { createExecute } from '../../../../src/graphql/execute/execute.js';
import type { GraphqlContext } from '../../../../src/plugins/contract/graphql/parts.js';

const fail = (message: string): never => {
  throw new Error(message);
};
const later = <T>(value: T): Promise<T> => Promise.resolve(value);
const after = async <T>(value: T): Promise<T> => {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  return value;
};

const ann = {
  name: 'Ann',
  born: new Date('2020-01-02T03:04:05.000Z'),
  mood: 'so-so',
  tags: ['a', null],
  pet: undefined,
  shout: ({ loud }: { loud?: boolean }) => (loud ? 'ANN' : 'ann'),
  soon: later('soon'),
};
const rex = { kind: 'Dog', name: 'Rex', owner: ann, required: null };
const log: string[] = [];

const schema = makeExecutableSchema({
  typeDefs: `
    scalar Moment
    enum Mood { so_so }
    interface Named { name: String! }
    union Pet = Dog | Cat
    type Dog implements Named { name: String!, owner: Person, required: Int! }
    type Cat implements Named { name: String!, lives: Int }
    type Person implements Named {
      id: ID, name: String!, born: Moment, mood: Mood, tags: [String], pet: Pet, pets: [Pet!]!, soon: String
      echo(text: String = "said", times: Int): String, shout(loud: Boolean): String
      later: String, fails: String, failsLater: String, failsFully: String!, failsFullyLater: String!, wrong: Int
      list(of: String): [Int], strict(of: String): [Int!], nested: [[Int!]]!, error: String, path: String
      self: Person, selfLater: Person!, some: [Person], everyone: [Person!]!
    }
    type Query {
      person(id: ID): Person, people: [Person!]!, nobody: Person, refused: Person, pet(kind: String): Pet
      named(how: String): Named, thing(is: Boolean, later: Boolean): Thing, strict: Strict!, plain: String
    }
    type Thing { name: String }
    type Strict { must: String! }
    type Mutation { note(text: String): String, must(text: String): String!, fails: String }
  `,
  resolvers: {
    Mood: { so_so: 'so-so' },
    Pet: { __resolveType: ({ kind }: { kind: string }) => kind },
    Named: { __resolveType: ({ kind }: { kind: unknown }) => kind },
    Person: {
      id: () => 7,
      pets: () => [rex, { kind: 'Cat', name: 'Tom', lives: 9 }],
      echo: (_: unknown, { text, times }: { text: string; times?: number }, __: unknown, info: GraphQLResolveInfo) =>
        `${info.fieldName} ${text} ${times} ${info.fieldNodes.length} ${info.parentType.name}`,
      path: (_: unknown, __: unknown, ___: unknown, info: GraphQLResolveInfo) =>
        [info.path.key, info.path.typename, info.path.prev?.key, info.path.prev?.prev?.key, info.returnType].join(' '),
      later: () => later('later'),
      fails: () => fail('failed'),
      failsLater: async () => fail('failed later'),
      failsFully: () => fail('failed fully'),
      failsFullyLater: async () => fail((await after('failed fully')) + ' later'),
      wrong: () => 'no number',
      error: () => new GraphQLError('returned', { extensions: { code: 'MINE' } }),
      list: (_: unknown, { of }: { of?: string }) => values(of),
      strict: (_: unknown, { of }: { of?: string }) => values(of),
      nested: () => [[1], [2, null], null, new Set([3]), later([4])],
      self: (person: unknown) => person,
      selfLater: (person: unknown) => after(person),
      some: (person: unknown) => [person, null, after(person), fail],
      everyone: (person: unknown) => [later(person), person],
    },
    Query: {
      person: async () => ann,
      people: async () => [ann, { ...ann, name: 'Bob' }],
      nobody: () => null,
      refused: async () => Promise.reject(new Error('refused')),
      pet: (_: unknown, { kind }: { kind?: string }) => ({ ...rex, kind: kind ?? 'Dog' }),
      named: (_: unknown, { how }: { how: string }) => ({ name: 'N', kind: kinds[how] }),
      thing: (_: unknown, asked: object) => asked,
      strict: () => ({}),
      plain: () => 'plain',
    },
    Mutation: {
      note: async (_: unknown, { text }: { text: string }) => void log.push(await after(text)),
      must: (_: unknown, { text }: { text?: string }) => (log.push(String(text)), text),
      fails: async () => fail('failed'),
    },
  },
});
const kinds: Readonly<Record<string, unknown>> = { later: later('Dog'), number: 5, input: 'Mood', type: {} };
function* counted(): Generator {
  yield 1;
  yield later(2);
}
const values = (of?: string): unknown =>
  of === 'promises'
    ? [later(1), 2, later(null)]
    : of === 'refused'
      ? [later(1), Promise.reject(new Error('an item'))]
      : of === 'errors'
        ? [1, new Error('an item'), 3]
        : of === 'generator'
          ? counted()
          : of === 'text'
            ? 'text'
            : of === 'both'
              ? [Promise.reject(new Error('an item')), 'no number']
              : of === 'numbers'
                ? [1, 'no number']
                : [1, null];
const thing = schema.getType('Thing');
if (isObjectType(thing))
  thing.isTypeOf = ({ is, later: isLater }: { is: boolean; later: boolean }) => (isLater ? later(is) : is);

const coercion = { maxCoercionErrors: 5 };
const execute = createExecute(schema, { maxErrors: 5, hideSuggestions: false });

type Variables = Readonly<Record<string, unknown>>;

const both = async (query: string, variableValues: Variables = {}, document: DocumentNode = parse(query)) => {
  const context = () => ({ budget: createResponseBudget(100_000) }) as GraphqlContext;
  const operation = getOperationAST(document) as OperationDefinitionNode;
  const mine = await execute({ document, operation, variableValues, contextValue: context() });
  const theirs = await executeByGraphqlJs({
    schema,
    document,
    variableValues,
    contextValue: context(),
    options: coercion,
  });
  const [ownLog, theirLog] = [log.splice(0, log.length / 2), log.splice(0)];
  expect(ownLog).toEqual(theirLog);
  return { mine: JSON.stringify(mine), theirs: JSON.stringify(theirs) };
};

describe('execution returns the result of graphql-js', () => {
  test.each<[string, Variables?]>([
    ['{ person { id name born mood tags pet { __typename } pets { __typename } __typename } __typename }'],
    ['{ nobody { name } people { b: name a: name name } plain }'],
    ['{ person { echo said: echo(text: "x") echoed: echo(text: null, times: 2) } }'],
    ['query ($t: String, $n: Int = 3) { person { echo(text: $t, times: $n) } }', { t: 'y' }],
    ['query ($t: String) { person { echo(text: $t) } }'],
    ['query ($no: Boolean!) { person { name @skip(if: $no) id @include(if: $no) } }', { no: true }],
    ['{ person { pets { ... on Dog { name owner { name } } ...C } } } fragment C on Cat { __typename lives name }'],
    ['{ pet { ...D ... on Pet { __typename } } } fragment D on Dog { name owner { id } owner { name } }'],
    ['{ people { path self { path } everyone { path everyone { path } } } }'],
    ['{ __schema { queryType { name } } __type(name: "Person") { fields { name type { kind ofType { name } } } } }'],
    ['{ person { later shout loud: shout(loud: true) soon selfLater { later name } } }'],
    ['{ person { name fails } people { failsLater failsFully } }'],
    ['{ person { self { failsFully } selfLater { self { failsFullyLater name } name } } }'],
    ['{ person { self { failsFully failsFullyLater later self { failsFully } } name } }'],
    ['{ person { selfLater { failsFullyLater } } people { failsFullyLater failsFully } }'],
    ['{ person { some { name failsFully } everyone { name fails } } }'],
    ['{ person { everyone { failsFullyLater } some { failsFullyLater fails } } }'],
    ['{ person { error list strict nested } }'],
    ['{ person { a: list(of: "promises") b: list(of: "refused") c: list(of: "errors") d: list(of: "generator") } }'],
    ['{ person { list(of: "numbers") strict(of: "numbers") } }'],
    ['{ person { a: strict(of: "promises") b: strict(of: "refused") c: strict(of: "errors") d: list(of: "text") } }'],
    ['{ refused { name } person { name } }'],
    ['{ person { wrong } }'],
    ['{ pet { ... on Dog { name required } } }'],
    ['{ strict { must } plain }'],
    ['{ pet(kind: "Person") { __typename } }'],
    ['{ pet(kind: "Cow") { __typename } none: pet(kind: null) { __typename } }'],
    ['{ named(how: "later") { __typename name ... on Dog { owner { name } } } number: named(how: "number") { name } }'],
    ['{ input: named(how: "input") { name } type: named(how: "type") { name } none: named { name } }'],
    ['{ thing(is: true) { name } no: thing(is: false) { name } later: thing(is: true, later: true) { name } }'],
    ['{ thing(is: false, later: true) { name } }'],
    ['query ($n: Int) { person { echo(times: $n) } }', { n: 'x' }],
    ['query ($n: Int!) { person { echo(times: $n) } }'],
    ['query ($n: [Int]) { plain }', { n: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] }],
    ['{ person { echo(times: 99999999999) } }'],
    ['{ __proto__: __typename person { __proto__: name constructor: name } }'],
    ['mutation { a: note(text: "a") must(text: "b") c: note(text: "c") fails }'],
    ['mutation { a: note(text: "a") must b: note(text: "b") }'],
  ])('%s', async (...[query, variables]) => {
    const { mine, theirs } = await both(query, variables);
    expect(mine).toBe(theirs);
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
      const { mine, theirs } = await both(query, variables, document);
      expect(mine).toBe(theirs);
    }
  });
});

test('a list with an error rejects no promise of another item unseen', async () => {
  const document = parse('{ person { strict(of: "both") } }');
  const operation = getOperationAST(document) as OperationDefinitionNode;
  const contextValue = { budget: createResponseBudget(100_000) } as GraphqlContext;
  const { data, errors } = await execute({ document, operation, contextValue });
  expect(data).toMatchObject({ person: { strict: null } });
  expect(errors).toHaveLength(1);
});

test('a response that exceeds its budget calls no further resolvers', async () => {
  const document = parse('mutation { a: must(text: "a long text") b: must(text: "b") c: must(text: "c") }');
  const budget = createResponseBudget(36);
  const operation = getOperationAST(document) as OperationDefinitionNode;
  await execute({ document, operation, contextValue: { budget } as GraphqlContext });
  expect(budget.left).toBeLessThan(0);
  expect(log.splice(0)).toEqual(['a long text']);
});
