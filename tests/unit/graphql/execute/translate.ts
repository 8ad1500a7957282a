import { execute, graphql, type DocumentNode, type ExecutionResult } from 'graphql';
import type { Caller } from '../../../../src/documents/caller.js';
import type { Documents } from '../../../../src/documents/documents.js';
import type { Query } from '../../../../src/query/ast.js';
import { createSelections } from '../../../../src/graphql/execute/selection-for-resolver.js';
import { createResolvers } from '../../../../src/graphql/execute/create-resolvers.js';
import type { ReadLimits } from '../../../../src/graphql/execute/listing.js';
import { generateSchema } from '../../../../src/graphql/schema/generate.js';
import { makeSchema } from '../../../../src/graphql/schema/make-schema.js';
import { limits, loadCorpus } from '../../../support/golden.js';

export const registry = loadCorpus();

/** The calls of the documents service. */
const queries: Query[] = [];

/** A service without entries. */
const documents: Pick<Documents, 'read'> = {
  read: async ({ action, query, presenter }, present) => {
    if (action === 'findOne' || action === 'findByKey') throw new Error('There are no entries');
    queries.push(query);
    return present({ page: { entries: [], total: 0 }, query, presenter });
  },
};

const anyone: Caller = { kind: 'public', may: () => true };

export interface Translated {
  readonly queries: readonly Query[];
  readonly result: ExecutionResult;
}

type Translate = (
  source: string | DocumentNode,
  variableValues?: Readonly<Record<string, unknown>>,
  caller?: Caller,
) => Promise<Translated>;

function translateWithin(readLimits: ReadLimits): Translate {
  const schema = registry.then((types) => {
    const generated = generateSchema(types);
    const options = {
      documents: documents as Documents,
      limits: readLimits,
      actions: {},
      guardOf: () => undefined,
      isOffered: () => true,
      isDecidedByCode: () => false,
      count: async () => 0,
    };
    return makeSchema([generated.typeDefs], [generated.resolvers, createResolvers(generated, options)]);
  });
  return async (source, variableValues = {}, caller = anyone) => {
    queries.length = 0;
    const { entryRequest } = createSelections(readLimits, { caller });
    const contextValue = { caller, address: '', entryRequest, read: (documents as Documents).read };
    const args = { schema: await schema, variableValues, contextValue };
    const result = await (typeof source === 'string'
      ? graphql({ ...args, source })
      : execute({ ...args, document: source }));
    return { queries: [...queries], result };
  };
}

/** The calls that a GraphQL document makes of the documents service; it can also be parsed already. */
export const translate = translateWithin(limits);

/** The translation where what components lead to is open. */
export const translateOpenly = translateWithin({ ...limits, openComponentRelations: true });
