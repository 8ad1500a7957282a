import { isRecord } from '../../config/record.js';
import { AppError } from '../../errors/app-error.js';
import type { ContentType } from '../../content-types/model/types.js';
import { both, type PopulateNode, type Query, type Selection } from '../ast.js';
import { parseValues } from '../plugin-parameters.js';
import { entriesOf, type QueryInput } from './input.js';
import { expandDeep, type DeepLimits } from './parse-deep.js';
import { selectFields } from './parse-fields.js';
import { parseFilters } from './parse-filters.js';
import { parsePagination, type PageLimits } from './parse-pagination.js';
import { createPopulateParser, parsePublicationState } from './parse-populate.js';
import { parseSearch } from './parse-search.js';
import { parseSort } from './parse-sort.js';
import type { Audience } from '../visibility.js';

export interface QueryLimits extends PageLimits, DeepLimits {}

/**
 * Parses the parameters of a transport into a query on `type`: names are resolved, values cast, limits applied. Nothing is
 * validated again later. As in Strapi v4, unknown parameters are ignored.
 * @throws AppError invalidParameter, invalidValue, paginationModesMixed, rootPaginationParameters, invalidCount, invalidCursor, tooCostly
 */
export function parseQuery(input: QueryInput, type: ContentType, audience: Audience, limits: QueryLimits): Query {
  const { filter, sort } = parseUse(input, type, audience);
  return {
    type,
    ...parseSelection(input, type, audience, limits),
    filter: both(filter, parseSearch(input['_q'], type.attributes, audience)),
    sort,
    pagination: parsePagination(input, limits, sort),
    publicationState: parsePublicationState(input['publicationState']),
    parameters: parseValues(input, type),
  };
}

/** The selection of entries and their order. @throws AppError invalidParameter, invalidValue, tooCostly */
const parseUse = (
  input: QueryInput,
  { attributes }: ContentType,
  audience: Audience,
): Pick<Query, 'filter' | 'sort'> => ({
  filter: parseFilters(input['filters'], attributes, audience),
  sort: parseSort(input['sort'], attributes, audience),
});

/**
 * Parses the filter and the sort of a query for one entry, where they have no effect. As in a list, Strapi v4 refuses invalid
 * names, but it ignores the values.
 * @throws AppError invalidParameter, tooCostly
 */
export const parseUnused = (
  input: QueryInput,
  type: ContentType,
  audience: Audience,
): Pick<Query, 'filter' | 'sort'> => {
  const { filters, sort } = input;
  return parseUse({ sort, filters: withoutValues(filters) }, type, audience);
};

/** The names of filters, with undefined in place of their values. */
function withoutValues(filters: unknown): unknown {
  if (Array.isArray(filters)) return filters.map(withoutValues);
  if (!isRecord(filters)) return undefined;
  return Object.fromEntries(entriesOf(filters).map(([key, value]) => [key, withoutValues(value)]));
}

/**
 * The part of a query that reads one entry takes: `fields` and `populate`.
 * @throws AppError invalidParameter, tooCostly
 */
export function parseSelection(
  input: QueryInput,
  type: ContentType,
  audience: Audience,
  limits: DeepLimits,
): Selection {
  const { attributes } = type;
  const populate = createPopulateParser(audience)(expandDeep(input['populate'], type, audience, limits), attributes);
  return withinLimit({ ...selectFields(input['fields'], attributes, audience), populate }, limits.populateLimit);
}

/** @throws AppError tooCostly as soon as there are more populated attributes in a selection than the limit */
export function withinLimit(selection: Selection, populateLimit: number): Selection {
  let left = populateLimit;
  const count = ({ populate }: Selection): void => {
    for (const node of populate) {
      if (left === 0) throw new AppError('tooCostly', 'populated attributes', populateLimit);
      left -= 1;
      selectionsOf(node).forEach(count);
    }
  };
  count(selection);
  return selection;
}

/** The query of a populated attribute, by target. */
function selectionsOf(node: PopulateNode): readonly Selection[] {
  switch (node.kind) {
    case 'relation':
      return [node.query];
    case 'component':
      return [node.selection];
    case 'zone':
    case 'morph':
      return [...node.on.values()];
    default:
      return node satisfies never;
  }
}
