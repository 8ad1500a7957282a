import { expect, test } from '@jest/globals';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { getOperationAST, parse, type ExecutionResult, type OperationDefinitionNode } from 'graphql';
import { createResponseBudget } from '../../../../src/documents/response/response-body.js';
import { createExecute } from '../../../../src/graphql/execute/execute.js';
import type { GraphqlContext } from '../../../../src/plugins/contract/graphql/parts.js';

const texts: string[] = [];
const execute = createExecute(
  makeExecutableSchema({
    typeDefs: `
      scalar Json
      type Query { people(count: Int): [Person!]!, mood(is: Mood, times: [Int]): Json }
      type Person { name: String, tags: [String], more: Json, fails: Int, failsLater: Int }
      type Mutation { note(text: String): String! }
      enum Mood { happy }
    `,
    resolvers: {
      Query: {
        people: async (_: unknown, { count }: { count: number }) =>
          Array.from({ length: count }, () => ({
            name: 'Ann',
            tags: ['a'.repeat(100)],
            more: { text: 'b'.repeat(100) },
          })),
        mood: () => 'good',
      },
      Person: {
        fails: () => {
          throw new Error('failed');
        },
        failsLater: async () => Promise.reject(new Error('failed later')),
      },
      Mutation: { note: async (_: unknown, { text }: { text: string }) => (texts.push(text), text) },
    },
  }),
  { maxErrors: 2, hideSuggestions: true },
);

async function run(query: string, limit: number, variableValues = {}): Promise<ExecutionResult & { left: number }> {
  const document = parse(query);
  const budget = createResponseBudget(limit);
  const contextValue = { budget } as GraphqlContext;
  const operation = getOperationAST(document) as OperationDefinitionNode;
  return { ...(await execute({ document, operation, variableValues, contextValue })), left: budget.remaining };
}

test.each([
  ['texts', '{ people(count: 1) { name } }', 4 + 3],
  ['lists of values', '{ people(count: 1) { tags } }', 4 + 100],
  ['values of a scalar', '{ people(count: 1) { more } }', 4 + 100],
  ['each entry of a list', '{ people(count: 9) { name } }', 9 * (4 + 3)],
  ['each alias', '{ people(count: 1) { a: name b: name c: name } }', 3 * (1 + 3)],
  ['an error', '{ people(count: 1) { fails } }', 1000],
  ['a later error', '{ people(count: 1) { failsLater } }', 1000],
])('%s count in the budget of the response', async (_, query, least) => {
  const { left } = await run(query, 100_000);
  expect(100_000 - left).toBeGreaterThanOrEqual(least);
  expect((await run(query, least - 1)).left).toBeLessThan(0);
});

test('a response that exceeds its budget calls no further resolvers', async () => {
  const { left } = await run('mutation { a: note(text: "a long text") b: note(text: "b") c: note(text: "c") }', 12);
  expect(left).toBeLessThan(0);
  expect(texts.splice(0)).toEqual(['a long text']);
});

test('errors of variables have a limit, and name nothing of the schema', async () => {
  const query = 'query ($is: Mood, $times: [Int]) { mood(is: $is, times: $times) }';
  const { errors = [] } = await run(query, 100_000, { is: 'hapy', times: ['a', 'b', 'c'] });
  expect(errors).toHaveLength(3);
  expect(errors.map(({ message }) => message).join()).not.toContain('happy');
});
