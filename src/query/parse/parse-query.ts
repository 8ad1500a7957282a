import { isRecord } from '../../config/record.js';
import { AppError } from '../../errors/app-error.js';
import type { JsonSchema } from '../../content-types/model/attribute-types.js';
import { typeName } from '../../content-types/model/type-name.js';
import type { Attribute, Component, ContentType, QueryParameter } from '../../content-types/model/types.js';
import { both, isScalar, type Filter, type Query, type ValuePath } from '../ast.js';
import { parseValues } from '../plugin-parameters.js';
import { entriesOf, type QueryInput } from './input.js';
import { parseFilters, parseSearch } from './parse-filters.js';
import { describePagination, parsePagination, parseSlice, withoutPages, type PageLimits } from './parse-pagination.js';
import { selectFieldsOf, type PopulateLimits, parseStateOfList, parsePopulate } from './parse-selection.js';
import { parseSort, parseSortPaths } from './parse-sort.js';
import { hasStatus, parseModified, parseStatus, stateOfStatus } from './parse-status.js';
import { attributesFor, isReadable, type Audience } from '../visibility.js';

export interface QueryLimits extends PageLimits, PopulateLimits {}

/** The fields of a query that are parsed already. */
type Parsed = { -readonly [K in keyof Query]?: Query[K] };

interface Parsing {
  readonly input: QueryInput;
  /** What is read: over GraphQL also the components of an entry. */
  readonly type: ContentType | Component;
  readonly audience: Audience;
  readonly limits: QueryLimits;
}

/** A parameter of Strapi v4's queries. Those of plugins are `QueryParameter`. */
interface CoreParameter {
  readonly name: string;
  /** Requests have parameters by their parts: lists all, counts `filter`, reads and writes of an entry `selection`. */
  readonly part: 'filter' | 'page' | 'selection' | QueryParameter['part'];
  /** Populated attributes have it, too. */
  readonly isNested?: true;
  /** The types that have it. Default: all. */
  readonly isOn?: (type: ContentType | Component) => boolean;
  /** The fields of the query that it sets. @throws AppError */
  readonly parse: (value: unknown, parsing: Parsing, parsed: Parsed) => Partial<Query>;
  /** What OpenAPI says about it, except its name and place; undefined: the type does not have it. */
  readonly openApi: (type: ContentType, limits: PageLimits, audience: Audience) => JsonSchema | undefined;
  /**
   * The type of its argument in GraphQL, of fields that return several entries or components; undefined: the model does
   * not have it.
   * @param filters the type of the model's filters
   */
  readonly graphql?: (model: ContentType | Component, filters: string) => string | undefined;
  /** Its type in the client, unless that depends on the content type. */
  readonly typescript?: string;
}

const POPULATE =
  'Relations, components, media; `populate[author][fields]=name` selects parts of them, `deep,3` two levels of all where that is enabled';

const namesOf = (
  type: ContentType,
  audience: Audience,
  isWanted: (attribute: Attribute) => boolean,
): readonly string[] =>
  [...attributesFor(type, audience)].flatMap(([name, attribute]) =>
    isReadable(attribute, audience) && isWanted(attribute) ? [name] : [],
  );

const listOf = (description: string, items: JsonSchema): JsonSchema => ({
  description,
  schema: { type: 'array', items },
  explode: true,
});

/**
 * The parameters of queries, in the order in which they are parsed. To add one, add a row; most others parse one field
 * of the query.
 */
export const parameters: readonly CoreParameter[] = [
  {
    name: 'filters',
    part: 'filter',
    isNested: true,
    parse: (value, { type, audience }) => ({ filter: parseFilters(value, attributesFor(type, audience), audience) }),
    openApi: (type) => ({
      style: 'deepObject',
      explode: true,
      description: 'E.g. `filters[id][$in][0]=1`',
      schema: { $ref: `#/components/schemas/${typeName(type)}Filters` },
      // Without one Swagger UI sends a condition on each attribute. This one finds all entries.
      example: { id: { $gte: 1 } },
    }),
    graphql: (_model, filters) => filters,
  },
  {
    name: 'sort',
    part: 'page',
    isNested: true,
    parse: (value, { type, audience }) => ({ sort: parseSort(value, attributesFor(type, audience), audience) }),
    openApi: () => listOf('E.g. `createdAt:desc`', { type: 'string' }),
    graphql: () => '[String] = []',
  },
  {
    name: 'fields',
    part: 'selection',
    isNested: true,
    parse: (value, { type, audience }) => selectFieldsOf(value, type, audience),
    openApi: (type, _limits, audience) =>
      listOf('Only these attributes', { type: 'string', enum: ['*', 'id', ...namesOf(type, audience, isScalar)] }),
  },
  {
    name: 'populate',
    part: 'selection',
    isNested: true,
    parse: (value, { type, audience, limits }) => ({ populate: parsePopulate(value, type, audience, limits) }),
    openApi: (type, _limits, audience) => {
      const names = namesOf(type, audience, (attribute) => !isScalar(attribute));
      return names.length === 0 ? undefined : listOf(POPULATE, { type: 'string', examples: ['*', ...names] });
    },
  },
  {
    name: '_q',
    part: 'filter',
    parse: (value, { type, audience }, { filter }) => ({
      filter: both(filter, parseSearch(value, type.attributes, audience)),
    }),
    openApi: () => ({ schema: { type: 'string' }, description: 'A string to search for' }),
    typescript: 'string',
  },
  {
    name: 'pagination',
    part: 'page',
    parse: (_value, { input, limits }, { sort = [] }) => ({ pagination: parsePagination(input, limits, sort) }),
    openApi: (_type, limits) => describePagination(limits),
    graphql: () => 'PaginationArg = {}',
  },
  {
    name: 'publicationState',
    part: 'state',
    isNested: true,
    parse: (value) => ({ publicationState: parseStateOfList(value) }),
    openApi: ({ draftAndPublish }) =>
      draftAndPublish ? { schema: { type: 'string', enum: ['live', 'preview'], default: 'live' } } : undefined,
    graphql: (model) => (model.kind !== 'component' && model.draftAndPublish ? 'PublicationState = LIVE' : undefined),
    typescript: "'live' | 'preview'",
  },
  {
    name: 'status',
    part: 'state',
    isOn: hasStatus,
    parse: (value, { type }, { publicationState }) => {
      const status = parseStatus(value, type);
      if (status === undefined) return {};
      if (status === 'published' && publicationState === 'preview') throw new AppError('invalidParameter', 'status');
      return { publicationState: stateOfStatus[status] };
    },
    openApi: (type) =>
      hasStatus(type)
        ? {
            schema: { type: 'string', enum: ['draft', 'published'] },
            description: 'What is prepared, with the right to drafts, or what is published',
          }
        : undefined,
    graphql: (model) => (hasStatus(model) ? 'PublicationStatus' : undefined),
    typescript: "'draft' | 'published'",
  },
  {
    name: 'modified',
    part: 'filter',
    isOn: hasStatus,
    parse: (value, { input, type }) =>
      parseModified(value, type, input['status']) ? { modified: true, publicationState: 'preview' } : {},
    openApi: (type) =>
      hasStatus(type)
        ? {
            schema: { type: 'boolean' },
            description:
              'Only published entries that have a working copy, in their latest state, with the right to drafts',
          }
        : undefined,
    typescript: 'boolean',
  },
];

/**
 * Parses the parameters of a transport into a query on `type`: names are resolved, values cast, limits applied. Nothing
 * is validated again later. Unknown parameters are ignored (corpus: 21-query-errors/11-odd).
 * @throws AppError invalidParameter, invalidValue, paginationModesMixed, rootPaginationParameters, invalidCount,
 * invalidCursor, tooCostly
 */
export function parseQuery(input: QueryInput, type: ContentType, audience: Audience, limits: QueryLimits): Query {
  const parsed = parseParameters(parameters, { input, type, audience, limits });
  // Each of its fields has a parameter that sets it.
  return Object.assign(parsed, { type, parameters: parseValues(input, type) }) as Query;
}

/**
 * Parses the parameters of a read of a single type. As in Strapi v4 it takes `start` and `limit` outside `pagination`,
 * like lists without pages, and nothing comes after its one entry.
 * @throws AppError notFound, invalidPage, invalidPageNumber, and as `parseQuery`
 */
export function parseSingleQuery(
  input: QueryInput,
  type: ContentType,
  limits: QueryLimits,
  audience: Audience = 'client',
): Query {
  if (parseSlice(input, 1).start > 0) throw new AppError('notFound');
  return parseQuery(withoutPages(input), type, audience, limits);
}

/** The fields of a query that these parameters set. @throws AppError as `parseQuery` */
export function parseParameters(rows: readonly CoreParameter[], parsing: Parsing): Partial<Query> {
  const parsed: Parsed = {};
  for (const { name, parse } of rows) Object.assign(parsed, parse(parsing.input[name], parsing, parsed));
  return parsed;
}

/** What a filter and a sort without effect name. */
export interface Unused {
  readonly filter: Filter | undefined;
  readonly sort: readonly ValuePath[];
}

/**
 * Parses the filter and the sort of a query for one entry, where they have no effect. As in a list, Strapi v4 refuses
 * invalid names, but it ignores the values.
 * @throws AppError invalidParameter, tooCostly
 */
export const parseUnused = (
  { filters, sort }: QueryInput,
  type: ContentType,
  audience: Audience = 'client',
): Unused => ({
  filter: parseFilters(withoutValues(filters), attributesFor(type, audience), audience),
  sort: parseSortPaths(sort, attributesFor(type, audience), audience),
});

/** The names of filters, with no condition in place of their values. */
function withoutValues(filters: unknown): unknown {
  if (Array.isArray(filters)) return filters.some(isRecord) ? filters.map(withoutValues) : {};
  if (!isRecord(filters)) return {};
  return Object.fromEntries(entriesOf(filters).map(([key, value]) => [key, withoutValues(value)]));
}
