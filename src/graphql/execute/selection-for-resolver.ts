import type { GraphQLResolveInfo, FieldNode } from 'graphql';
import type { Component, ContentType } from '../../content-types/model/types.js';
import { hasSameRights, observeRights, type Caller, type CheckedRights } from '../../documents/caller.js';
import type { RequestContext } from '../../documents/request-context.js';
import type { Selection } from '../../query/ast.js';
import { withinLimit } from '../../query/parse/parse-query.js';
import type { GraphqlContext } from '../../plugins/contract/graphql/parts.js';
import { graphqlPresenter } from '../../plugins/contract/graphql/presenter.js';
import { fieldGroupsIn, nameOf, selectedBy, within, type Selected } from './fields.js';
import type { ReadLimits } from './listing.js';
import { selectEntry, selectMember } from './selection.js';
import { usesVariables } from './uses-variables.js';

/** The selection of the entries in `data` of a field. @throws AppError tooCostly */
type SelectData = (type: ContentType, info: GraphQLResolveInfo, caller: Caller) => Selection;

interface Remembered {
  readonly selection: Selection;
  readonly rights: CheckedRights;
}

/**
 * Remembers selections by the nodes of fields in cached documents. They are valid for callers with the same results of the
 * permission checks, if the selection does not use variables.
 */
export function createSelectData(limits: ReadLimits): SelectData {
  const remembered = new WeakMap<FieldNode, Remembered>();
  return (type, info, caller) => {
    const select = (asking: Caller): Selection => {
      const entities = within(info, selectedBy(info), 'data');
      return withinLimit(selectEntry(type, entities, { executed: info, caller: asking, limits }), limits.populateLimit);
    };
    const [node, ...otherNodes] = info.fieldNodes;
    if (node === undefined || otherNodes.length > 0) return select(caller);
    const before = remembered.get(node);
    if (before && hasSameRights(caller, before.rights)) return before.selection;
    if (usesVariables(node.selectionSet, info.fragments)) return select(caller);
    const { observed, rights } = observeRights(caller);
    const selection = select(observed);
    remembered.set(node, { selection, rights });
    return selection;
  };
}

/** The request to the documents service, for resolvers that return one entry. @throws AppError tooCostly */
export function createEntryRequest(limits: ReadLimits): (request: RequestContext) => GraphqlContext['entryRequest'] {
  const selectData = createSelectData(limits);
  return ({ caller, signal, bytesRead }) =>
    (type, info) => ({
      caller,
      signal,
      bytesRead,
      presenter: graphqlPresenter,
      selection: selectData(type, info, caller),
    });
}

/** For resolvers of fields whose type is a union. @throws AppError tooCostly */
export const createSelected =
  (limits: ReadLimits) =>
  (caller: Caller): GraphqlContext['selected'] =>
  (model: ContentType | Component, info) => {
    const selection = selectMember(model, info.fieldNodes, { executed: info, caller, limits });
    return selection && withinLimit(selection, limits.populateLimit);
  };

const counts = new Set(['total', 'pageCount']);

const paginationIn = (info: GraphQLResolveInfo): Selected =>
  within(info, within(info, selectedBy(info), 'meta'), 'pagination');

/** Whether the query selects the total. */
export const requestsCount = (info: GraphQLResolveInfo): boolean =>
  fieldGroupsIn(info, paginationIn(info)).some((fieldGroup) => counts.has(nameOf(fieldGroup)));

/** Whether the query selects anything of `meta.pagination`. */
export const selectsPagination = (info: GraphQLResolveInfo): boolean => paginationIn(info).fieldGroups.length > 0;
