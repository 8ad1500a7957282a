import { isRecord, isAbsent } from '../../config/record.js';
import type { Attributes, Component, ContentType } from '../../content-types/model/types.js';
import type { ReadShape } from '../../plugins/contract/graphql/form.js';
import type { Caller } from '../../documents/caller.js';
import { assertReadable, canReadRelation, withheldFrom } from '../../documents/rights.js';
import { AppError } from '../../errors/app-error.js';
import type { Pagination, PublicationState, Query } from '../../query/ast.js';
import type { QueryInput } from '../../query/parse/input.js';
import { parsePagination, type PageLimits } from '../../query/parse/parse-pagination.js';
import { parseStateOfList } from '../../query/parse/parse-selection.js';
import { parameters, parseParameters, type QueryLimits } from '../../query/parse/parse-query.js';
import { attributesFor, type Audience } from '../../query/visibility.js';
import { filterInput, relationsIn } from './filter-input.js';

/** The arguments of a field, which the schema has checked. */
export type Arguments = Readonly<Record<string, unknown>>;

/** The selection of entries, their order, and the state that they are in. */
export type Listing = Pick<Query, 'filter' | 'sort' | 'pagination'> & Partial<Query>;

/** The default and maximum number of entries in a list, and the relations that are visible without a permission. */
export interface ListLimits extends Pick<PageLimits, 'defaultLimit' | 'maxLimit'> {
  /** Whether relations of components need no permission. */
  readonly openComponentRelations?: boolean;
}

/** The limits of queries, whose totals are counted if they are selected. */
export type ReadLimits = Omit<QueryLimits, 'withCount'> & ListLimits;

/** The forms of arguments in REST, by their names; all others have the same form. */
const forms: Readonly<
  Record<string, ((value: unknown, attributes: Attributes, audience: Audience) => unknown) | undefined>
> = {
  filters: filterInput,
  pagination: pageInput,
};

/**
 * Parses the arguments of a field that returns several entries of this type, like the REST parameters of these names.
 * @throws AppError invalidParameter, invalidValue, graphqlPaginationModesMixed, tooCostly
 */
export function parseListing(
  args: Arguments,
  type: ContentType | Component,
  caller: Caller,
  limits: ReadLimits,
  shape: Pick<ReadShape, 'audience' | 'check'> = v4,
): Listing {
  const { audience } = shape;
  const input = parametersIn(args, type, caller, shape);
  const listing = parseInput(input, type, limits, audience === 'client' ? ofList : ofPage, audience) as Listing;
  assertReadable(listing, caller, type.kind === 'component' ? undefined : withheldFrom(type, caller));
  return listing;
}

/**
 * The arguments of a list as parameters of the REST API.
 * @throws AppError invalidParameter, graphqlPaginationModesMixed
 */
export function parametersIn(
  args: Arguments,
  type: ContentType | Component,
  caller: Caller,
  { audience, check }: Pick<ReadShape, 'audience' | 'check'>,
): QueryInput {
  const attributes = attributesFor(type, audience);
  // As in Strapi v4, an error of the pagination is reported before others.
  const input = inputOf(args, attributes, audience);
  check?.(input, type, caller);
  // As recorded, a relation without a condition needs the permission too.
  for (const attribute of relationsIn(input['filters'], attributes, audience)) {
    if (!canReadRelation(attribute, caller)) throw new AppError('invalidParameter', attribute.name);
  }
  return input;
}

const v4 = { audience: 'client' } as const;

/** Parses the arguments of a field that returns the entry of a single type. @throws AppError */
export const parseSingle = (args: Arguments, type: ContentType, limits: ReadLimits): Partial<Query> =>
  parseInput(inputOf(args, type.attributes, 'client'), type, limits, ofSingle, 'client');

const inputOf = (args: Arguments, attributes: Attributes, audience: Audience): QueryInput =>
  Object.fromEntries(
    parameters.map(({ name }) => [
      name,
      forms[name] === undefined ? args[name] : forms[name](args[name], attributes, audience),
    ]),
  );

/** The parameters that are arguments of a list, or that code may set there to limit it, and those of a single type. */
const ofList = parameters.filter(({ graphql, part }) => graphql !== undefined || part === 'filter');
const ofSingle = ofList.filter(({ part }) => part === 'state');
/** Other forms have states of their own. */
const ofPage = ofList.filter(({ part }) => part !== 'state');

const parseInput = (
  input: QueryInput,
  type: ContentType | Component,
  limits: ReadLimits,
  rows: typeof ofList,
  audience: Audience,
): Partial<Query> => parseParameters(rows, { input, type, audience, limits: { ...limits, withCount: false } });

/**
 * The entries of a page that the argument `pagination` names.
 * @throws AppError invalidParameter, graphqlPaginationModesMixed
 */
export const parsePage = (input: unknown, limits: ListLimits): Pagination =>
  parsePagination({ pagination: pageInput(input) }, { ...limits, withCount: false }, []);

/**
 * As recorded, a page without a size has one entry, and pages are counted in the requested size,
 * even if they get smaller. As in Strapi v4, a null limit with a start is the minimum.
 */
function pageInput(input: unknown): Arguments {
  const { page, pageSize, start, limit } = isRecord(input) ? input : {};
  const byPage = !isAbsent(page) || !isAbsent(pageSize);
  const byOffset = !isAbsent(start) || !isAbsent(limit);
  if (byPage && byOffset) throw new AppError('graphqlPaginationModesMixed');
  if (!byPage) return byOffset ? { start: start ?? 0, limit: limit === null ? 1 : limit } : {};
  const size = Math.max(1, Number(pageSize ?? 0));
  return { start: Math.min((Number(page ?? 1) - 1) * size, Number.MAX_SAFE_INTEGER), limit: size };
}

/** The fields of `meta.pagination`. */
export type PageInfo = Readonly<Record<'total' | 'page' | 'pageSize' | 'pageCount', number>>;

/** GraphQL's integers have 32 bits. */
const HIGHEST_INT = 2 ** 31 - 1;

/** `meta.pagination` for a page of a list with this total. */
export function pageInfo({ start, limit }: Pick<Pagination, 'start' | 'limit'>, total: number): PageInfo {
  const page = Math.min(Math.floor(start / limit) + 1, HIGHEST_INT);
  return { page, pageSize: limit, total, pageCount: Math.ceil(total / limit) };
}

/** The value of the argument `publicationState`; undefined if there is none. */
export const publicationStateOf = ({ publicationState }: Arguments): PublicationState =>
  parseStateOfList(publicationState);
