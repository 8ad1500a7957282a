import type { GraphQLResolveInfo } from 'graphql';
import type { ContentType } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import type { RequestContext } from '../../documents/request-context.js';
import type { Selection } from '../../query/ast.js';
import { withinLimit } from '../../query/parse/parse-selection.js';
import type { GraphqlContext } from '../../plugins/contract/graphql/parts.js';
import { graphqlPresenter } from '../../plugins/contract/graphql/presenter.js';
import { fieldGroupsIn, nameOf, selectedBy, within, type Selected } from './fields.js';
import type { ReadLimits } from './listing.js';
import { selectEntry, selectMember } from './selection.js';

/** Selects the entries in `data` of a field. @throws AppError tooCostly */
export function selectData(
  type: ContentType,
  info: GraphQLResolveInfo,
  { caller, limits }: { readonly caller: Caller; readonly limits: ReadLimits },
): Selection {
  const entities = within(info, selectedBy(info), 'data');
  return withinLimit(selectEntry(type, entities, { executed: info, caller, limits }), limits.populateLimit);
}

/** What resolvers of a request select entries with. They throw AppError tooCostly. */
export const createSelections = (
  limits: ReadLimits,
  { caller, signal, bytesRead }: RequestContext,
): Pick<GraphqlContext, 'entryRequest' | 'selected'> => ({
  entryRequest: (type, info) => ({
    caller,
    signal,
    bytesRead,
    presenter: graphqlPresenter,
    selection: selectData(type, info, { caller, limits }),
  }),
  selected: (model, info) => {
    const selection = selectMember(model, info.fieldNodes, { executed: info, caller, limits });
    return selection && withinLimit(selection, limits.populateLimit);
  },
});

const counts = new Set(['total', 'pageCount']);

const paginationIn = (info: GraphQLResolveInfo): Selected =>
  within(info, within(info, selectedBy(info), 'meta'), 'pagination');

/** Whether the query selects the total. */
export const requestsCount = (info: GraphQLResolveInfo): boolean =>
  fieldGroupsIn(info, paginationIn(info)).some((fieldGroup) => counts.has(nameOf(fieldGroup)));

/** Whether the query selects anything of `meta.pagination`. */
export const selectsPagination = (info: GraphQLResolveInfo): boolean => paginationIn(info).fieldGroups.length > 0;
