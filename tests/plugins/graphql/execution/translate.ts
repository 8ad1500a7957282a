import { execute, graphql, type DocumentNode, type ExecutionResult } from 'graphql';
import type { Caller } from '../../../../src/documents/caller.js';
import type { Documents } from '../../../../src/documents/documents.js';
import type { Query } from '../../../../src/query/ast.js';
import { createAsked } from '../../../../src/plugins/graphql/execution/answers.js';
import { createResolvers } from '../../../../src/plugins/graphql/execution/create-resolvers.js';
import { generateSchema } from '../../../../src/plugins/graphql/schema/generate.js';
import { makeSchema } from '../../../../src/plugins/graphql/schema/make-schema.js';
import { limits, loadCorpus } from '../../../support/golden.js';

export const registry = loadCorpus();

/** What the service is asked for. */
const queries: Query[] = [];

/** A service without entries. */
const documents: Partial<Documents> = {
  find: async (query) => {
    queries.push(query);
    return { entries: [], total: 0 };
  },
  findSingle: async (query) => {
    queries.push(query);
    return null;
  },
};

const schema = registry.then((types) => {
  const generated = generateSchema(types);
  const resolvers = createResolvers(generated, { documents: documents as Documents, limits, actions: {} });
  return makeSchema([generated.typeDefs], [resolvers]);
});

interface Translated {
  readonly queries: readonly Query[];
  readonly result: ExecutionResult;
}

const anyone: Caller = { kind: 'public', may: () => true };

/** What a GraphQL document asks the documents service for; one that is parsed already may come again. */
export async function translate(
  source: string | DocumentNode,
  variableValues: Readonly<Record<string, unknown>> = {},
  caller: Caller = anyone,
): Promise<Translated> {
  queries.length = 0;
  const contextValue = { caller, address: '', asked: createAsked(limits)(caller) };
  const given = { schema: await schema, variableValues, contextValue };
  const result = await (typeof source === 'string'
    ? graphql({ ...given, source })
    : execute({ ...given, document: source }));
  return { queries: [...queries], result };
}
