import { isRecord } from '../../config/record.js';
import type {
  Attribute,
  Attributes,
  Component,
  ComponentAttribute,
  ContentType,
  RelationAttribute,
  ScalarAttribute,
} from '../../content-types/model/types.js';
import {
  both,
  type ComponentSelection,
  type Field,
  type Filter,
  id,
  isScalar,
  NO_LIMIT,
  type PopulateNode,
  type Query,
  type RelatedQuery,
  type SortKey,
} from '../../query/ast.js';
import { attributesFor, isUnreachable, type Audience } from '../../query/visibility.js';
import { plainEntry, type EntryPresenter } from '../../query/entry-presenter.js';
import { hideMorphType } from '../../query/morph-type.js';
import { noValues } from '../../query/plugin-parameters.js';
import { isOfService } from '../../content-types/model/system-attributes.js';
import { parseFilters, parseSearch } from '../../query/parse/parse-filters.js';
import { readableFields, refuseNestedRelated } from '../../query/parse/parse-selection.js';
import type { Named } from '../strapi.js';
import { checkWhere, textOf } from './check-where.js';
import { attributeOfColumn, nameAttributes } from './column-names.js';
import { parseGroupKeys } from './first-of-groups.js';

/** The additional values of a result, per level. */
export interface Presented {
  /** Whether the id was selected. */
  readonly id: boolean;
  /** Whether components are replaced by their number. */
  readonly counted?: boolean;
  readonly nested: ReadonlyMap<string, Presented>;
  /** In zones and morph relations: by uid of the value. */
  readonly kinds?: ReadonlyMap<string, Presented>;
}

/** The function form of `filters`, called for every type that is read, unless a level has its own filters. */
type FilterMaker = (parts: { readonly meta: { readonly attributes: Named } }) => unknown;

/** The options of a level: a join also selects its sort keys, as in SQL; zones and morphs always contain ids. */
interface LevelOptions {
  readonly joined?: boolean;
  readonly withId?: boolean;
  /** The filters of the parent level, if they are a function. */
  readonly filters?: unknown;
  readonly audience: Audience;
}

interface Level {
  readonly selection: ComponentSelection;
  readonly presented: Presented;
}

/**
 * Parses the parameters of `strapi.db.query(uid)`: `where`, `select`, `populate`, `orderBy`, `limit`, `offset`, `_q`,
 * `filters` and `groupBy`. Returns the query, the ids in its result, and what its entries are grouped by.
 * @throws Error for what Strapi v4's query engine refuses; AppError for what the parser of filters refuses
 */
export function parseDatabaseQuery(type: ContentType, params: Named = {}, audience: Audience = 'code') {
  const { selection, presented } = parseLevel(params, attributesFor(type, audience), { audience });
  const { start, limit, ...rest } = selection;
  const query: Query = {
    ...rest,
    filter: both(rest.filter, parseSearch(params['_q'] ?? undefined, type.attributes, audience)),
    type,
    pagination: { form: 'offset', start, limit: limit ?? NO_LIMIT, withCount: false },
    publicationState: 'preview',
    parameters: noValues,
  };
  return { query, presented, keys: parseGroupKeys(params['groupBy'], attributesFor(type, audience)) };
}

function whereOf(where: unknown, attributes: Attributes, audience: Audience): Filter | undefined {
  if (where === undefined || where === null) return undefined;
  const named = nameAttributes(where, attributes, audience);
  checkWhere(named, attributes, audience);
  return parseFilters(named, attributes, audience);
}

/** @throws Error, AppError as `parseDatabaseQuery` */
export function parseLevel(
  params: Named,
  attributes: Attributes,
  { joined = false, withId = false, filters: inherited, audience }: LevelOptions,
): Level {
  const filters: unknown = params['filters'] ?? inherited;
  const made: unknown =
    typeof filters === 'function'
      ? (filters as FilterMaker)({ meta: { attributes: Object.fromEntries(attributes) } })
      : filters;
  const filter = both(whereOf(params['where'], attributes, audience), whereOf(made, attributes, audience));
  const { orderBy, limit, offset } = params;
  const sort = orderBy === undefined || orderBy === null ? [] : parseOrder(orderBy, attributes, audience);
  const nodes = parsePopulated(params['populate'], attributes, { filters, audience });
  const joins = joined || goesThrough(filter) || sort.some(({ through }) => through.length > 0);
  const names = selectedNames(params['select'], joins ? sort : [], nodes.length > 0);
  const fields = names === undefined ? shownFields(attributes) : fieldsOf(names, attributes);
  return {
    selection: {
      fields,
      populate: nodes.map(({ node }) => node),
      filter,
      sort,
      start: Math.max(0, numberOf(offset) || 0),
      limit: numberOf(limit) > 0 ? Math.trunc(numberOf(limit)) : undefined,
    },
    presented: {
      id: withId || names === undefined || names.includes('id'),
      nested: new Map(nodes.map(({ node, presented }) => [node.key, presented])),
    },
  };
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : Number(textOf(value ?? 0)));

/** Undefined for all. */
function selectedNames(select: unknown, sort: readonly SortKey[], populates: boolean): readonly string[] | undefined {
  if (select === undefined || select === null) return undefined;
  const names = [select].flat() as unknown[];
  if (names.includes('*') || (names.length === 0 && !populates)) return undefined;
  const sorted = sort.flatMap(({ through, field }) => (through.length === 0 ? [field.name] : []));
  return [...names.map(textOf), ...sorted, ...(populates ? ['id'] : [])];
}

/** As in Strapi v4, the name of a column selects its attribute. */
function fieldsOf(names: readonly string[], attributes: Attributes) {
  const fields = names.flatMap((name) => {
    if (name === 'id') return [];
    const attribute = attributes.get(name) ?? attributes.get(attributeOfColumn(name, attributes) ?? '');
    if (attribute === undefined || !isScalar(attribute)) throw new Error(`unknown attribute "${name}" in select`);
    return [attribute];
  });
  return [...new Set(fields)];
}

function goesThrough(filter: Filter | undefined): boolean {
  if (filter === undefined) return false;
  if (filter.kind === 'and' || filter.kind === 'or') return filter.filters.some(goesThrough);
  if (filter.kind === 'not') return goesThrough(filter.filter);
  return filter.kind === 'related' || filter.kind === 'component';
}

interface Populated {
  readonly node: PopulateNode;
  readonly presented: Presented;
}

/** As in Strapi v4, names of plain attributes are ignored. @throws Error if it is not a populate */
function parsePopulated(
  populate: unknown,
  attributes: Attributes,
  { filters, audience }: Pick<LevelOptions, 'filters' | 'audience'>,
): readonly Populated[] {
  if (populate === undefined || populate === null || populate === false) return [];
  return requestsOf(populate, attributes).flatMap(([name, request]) => {
    const attribute = attributes.get(name);
    if (attribute === undefined || attribute.kind === 'scalar') return [];
    return [
      parseNode(attribute, isRecord(request) ? request : {}, {
        filters: typeof filters === 'function' ? filters : undefined,
        audience,
      }),
    ];
  });
}

function requestsOf(populate: unknown, attributes: Attributes): readonly (readonly [string, unknown])[] {
  if (populate === true) return [...attributes.keys()].map((name) => [name, true]);
  if (Array.isArray(populate)) {
    const below = new Map<string, string[]>();
    for (const path of populate) {
      if (typeof path !== 'string') throw new Error('Populate must be a list of strings');
      const [root = '', ...rest] = path.split('.');
      const paths = below.get(root) ?? [];
      below.set(root, rest.length > 0 ? [...paths, rest.join('.')] : paths);
    }
    return [...below].map(([name, paths]) => [name, paths.length > 0 ? { populate: paths } : true]);
  }
  if (!isRecord(populate)) throw new Error('Populate must be an object');
  return Object.entries(populate);
}

const everyState = { publicationState: 'preview', count: false } as const;

function parseNode(
  attribute: Exclude<Attribute, { kind: 'scalar' }>,
  request: Named,
  inherited: Pick<LevelOptions, 'filters' | 'audience'>,
): Populated {
  const { audience } = inherited;
  const key = attribute.name;
  const levelOf = (attributes: Attributes, isCounted: boolean): Level =>
    parseLevel(isCounted ? countedIn(request) : request, attributes, { joined: true, ...inherited });
  switch (attribute.kind) {
    case 'relation':
    case 'morphed': {
      refuseNestedRelated(request['populate'], attribute.target);
      const count = request['count'] === true && attribute.kind === 'relation' && !attribute.media;
      const { selection, presented } = levelOf(attributesFor(attribute.target, audience), count);
      const unreachable = isUnreachable(attribute) && ({ filter: { kind: 'never' } } as const);
      const query = { ...selection, ...everyState, count, ...unreachable };
      return { node: { kind: 'relation', key, attribute, query }, presented };
    }
    case 'component': {
      const counted = request['count'] === true;
      const { selection, presented } = levelOf(attribute.component.attributes, counted);
      return { node: { kind: 'component', key, attribute, selection }, presented: { ...presented, counted } };
    }
    case 'zone': {
      const levels = parseKinds(request, attribute.components, inherited);
      const on = new Map([...levels].map(([uid, { selection }]) => [uid, selection]));
      return { node: { kind: 'zone', key, attribute, on }, presented: kindsOf(levels) };
    }
    case 'morph': {
      const levels = parseKinds(request, attribute.candidates, inherited);
      const on = new Map<ContentType, RelatedQuery>();
      for (const [uid, { selection }] of levels) {
        const type = attribute.candidates.get(uid);
        if (type !== undefined) on.set(type, { ...selection, ...everyState });
      }
      return { node: { kind: 'morph', key, attribute, on }, presented: kindsOf(levels) };
    }
    default:
      return attribute satisfies never;
  }
}

/** The selection for the number of related entries: all that match. */
const countedIn = ({ where, filters }: Named): Named => ({ where, filters, select: ['id'] });

/** The selection per type: with `on` of the listed ones, otherwise of all. */
function parseKinds(
  { on, ...common }: Named,
  kinds: ReadonlyMap<string, Component | ContentType>,
  inherited: Pick<LevelOptions, 'filters' | 'audience'>,
): ReadonlyMap<string, Level> {
  const requests = isRecord(on) ? on : undefined;
  return new Map(
    [...kinds].flatMap(([uid, model]) => {
      if (requests !== undefined && !Object.hasOwn(requests, uid)) return [];
      const request = requests === undefined ? common : requests[uid];
      return [
        [
          uid,
          parseLevel(isRecord(request) ? request : {}, attributesFor(model, inherited.audience), {
            withId: true,
            ...inherited,
          }),
        ],
      ];
    }),
  );
}

const kindsOf = (levels: ReadonlyMap<string, Level>): Presented => ({
  id: true,
  nested: new Map(),
  kinds: new Map([...levels].map(([uid, { presented }]) => [uid, presented])),
});

type Through = readonly (RelationAttribute | ComponentAttribute)[];

/**
 * Parses `orderBy` as Strapi v4's query engine: a name, objects of directions, or a list of both.
 * @throws Error for an unknown attribute, and for one that cannot be sorted by
 */
export function parseOrder(
  input: unknown,
  attributes: Attributes,
  audience: Audience = 'code',
  through: Through = [],
): readonly SortKey[] {
  if (typeof input === 'string') return [{ through, field: fieldOf(input, attributes), direction: 'ascending' }];
  if (Array.isArray(input)) return input.flatMap((order) => parseOrder(order, attributes, audience, through));
  if (!isRecord(input)) throw new Error('Invalid orderBy syntax');
  return Object.entries(input).flatMap(([name, value]) => {
    const attribute = attributes.get(name);
    if (attribute?.kind === 'relation')
      return parseOrder(value, attributesFor(attribute.target, audience), audience, [...through, attribute]);
    if (attribute?.kind === 'component') {
      return parseOrder(value, attribute.component.attributes, audience, [...through, attribute]);
    }
    return [{ through, field: fieldOf(name, attributes), direction: directionOf(value) }];
  });
}

function fieldOf(name: string, attributes: Attributes): Field {
  if (name === 'id') return id;
  const attribute = attributes.get(name);
  if (attribute?.kind === 'scalar') return attribute;
  throw new Error(attribute === undefined ? `unknown attribute "${name}"` : `You cannot order on ${name}`);
}

/** As in SQL builders, anything but `desc` is ascending. */
const directionOf = (value: unknown): SortKey['direction'] =>
  typeof value === 'string' && value.toLowerCase() === 'desc' ? 'descending' : 'ascending';

/** All attributes except those that nobody but the service has. */
export const shownFields = (attributes: Attributes): readonly ScalarAttribute[] =>
  readableFields(attributes, 'code').filter((attribute) => !(attribute.private && isOfService(attribute)));

/** An entry of a read in `typedEntry`, or a list of them, with the ids that were selected. */
export function present(value: unknown, presented: Presented): unknown {
  if (presented.counted === true) return { count: [value ?? []].flat().length };
  if (Array.isArray(value)) return value.map((entry) => presentOne(entry, presented));
  return hideMorphType(presentOne(value, presented));
}

/** As recorded, only the targets of a morph relation to many show their type. */
export const typedEntry: EntryPresenter = {
  ...plainEntry,
  typed: true,
  get morph() {
    return typedEntry;
  },
};

function presentOne(value: unknown, presented: Presented): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { id, ...attributes } = value as Named;
  const { __component, __type } = attributes;
  const { nested } = presented.kinds?.get(String(__component ?? __type)) ?? presented;
  for (const [name, level] of nested) {
    if (Object.hasOwn(attributes, name)) attributes[name] = present(attributes[name], level);
  }
  const first = {
    ...(__component !== undefined && { __component: __component as unknown }),
    ...(presented.id && id !== undefined && { id: id as unknown }),
  };
  return { ...first, ...attributes };
}
