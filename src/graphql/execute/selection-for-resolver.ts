import type { GraphQLResolveInfo } from 'graphql';
import type { Component, ContentType } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import type { Selection } from '../../query/ast.js';
import { withinLimit, type QueryLimits } from '../../query/parse/parse-query.js';
import type { GraphqlContext } from '../../plugins/contract/graphql/parts.js';
import { graphqlShape } from '../../plugins/contract/graphql/presenter.js';
import { fieldGroupsIn, nameOf, selectedBy, within } from './fields.js';
import { createSelectionCache } from './selection-cache.js';
import type { ListLimits } from './listing.js';
import { selectEntry, selectMember } from './selection.js';

/** The most that a query gets, and how much when it does not say. */
export type ReadLimits = Omit<QueryLimits, 'withCount'> & ListLimits;

/**
 * What a field whose answer has entries in `data` wants of them.
 * @throws AppError tooCostly
 */
export type SelectData = (type: ContentType, info: GraphQLResolveInfo, caller: Caller) => Selection;

export function createSelectData(limits: ReadLimits): SelectData {
  const remembered = createSelectionCache();
  return (type, info, caller) =>
    remembered(info, caller, (asking) => {
      const entities = within(info, selectedBy(info), 'data');
      return withinLimit(selectEntry(type, entities, { executed: info, caller: asking, limits }), limits.populateLimit);
    });
}

/** For resolvers that give one entry: what the documents service is asked for. @throws AppError tooCostly */
export function createEntryRequest(limits: ReadLimits): (caller: Caller) => GraphqlContext['asked'] {
  const selectData = createSelectData(limits);
  return (caller) => (type, info) => ({ caller, shape: graphqlShape, selection: selectData(type, info, caller) });
}

/** For resolvers of fields whose type is a union. @throws AppError tooCostly */
export const createSelected =
  (limits: ReadLimits) =>
  (caller: Caller): GraphqlContext['selected'] =>
  (of: ContentType | Component, info) => {
    const selection = selectMember(of, info.fieldNodes, { executed: info, caller, limits });
    return selection && withinLimit(selection, limits.populateLimit);
  };

const counts = new Set(['total', 'pageCount']);

/** Is the number of all entries asked for? */
export function requestsCount(info: GraphQLResolveInfo): boolean {
  const pagination = within(info, within(info, selectedBy(info), 'meta'), 'pagination');
  return fieldGroupsIn(info, pagination).some((mention) => counts.has(nameOf(mention)));
}
