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
import { selectEntries, selectMember } from './selection.js';
import { v4Shape, type SchemaShape } from '../schema/shape.js';

export interface SelectingFor {
  readonly caller: Caller;
  readonly limits: ReadLimits;
  readonly shape: SchemaShape;
}

/** Selects the entries of a field. @throws AppError tooCostly */
export const selectData = (type: ContentType, info: GraphQLResolveInfo, by: SelectingFor): Selection =>
  withinLimit(selectEntries(type, selectedBy(info), { executed: info, ...by }), by.limits.populateLimit);

/** What resolvers of a request select entries with. They throw AppError tooCostly. */
export const createSelections = (
  limits: ReadLimits,
  request: RequestContext,
  shape = v4Shape,
  presenter = graphqlPresenter,
): Pick<GraphqlContext, 'entryRequest' | 'selected'> => ({
  entryRequest: (type, info) => {
    const { caller, signal, bytesRead } = request;
    return { caller, signal, bytesRead, presenter, selection: selectData(type, info, { caller, limits, shape }) };
  },
  selected: (model, info) => {
    const { caller } = request;
    const selection = selectMember(model, info.fieldNodes, { executed: info, caller, limits, shape });
    return selection && withinLimit(selection, limits.populateLimit);
  },
});

const counts = new Set(['total', 'pageCount']);

const paginationIn = (info: GraphQLResolveInfo, way: readonly string[]): Selected =>
  way.reduce((outer, name) => within(info, outer, name), selectedBy(info));

/** Whether the query selects the total. */
export const requestsCount = (info: GraphQLResolveInfo, way = v4Shape.wayToPage): boolean =>
  hasFieldsOn(info, way) &&
  fieldGroupsIn(info, paginationIn(info, way)).some((fieldGroup) => counts.has(nameOf(fieldGroup)));

/** Whether the query selects anything of `meta.pagination`. */
export const selectsPagination = (info: GraphQLResolveInfo): boolean =>
  paginationIn(info, v4Shape.wayToPage).fieldGroups.length > 0;

/** Whether the type of the field has a page at all. */
const hasFieldsOn = (info: GraphQLResolveInfo, [first = '']: readonly string[]): boolean =>
  selectedBy(info).type.getFields()[first] !== undefined;
