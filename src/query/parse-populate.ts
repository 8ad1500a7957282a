import { AppError } from '../errors/app-error.js';
import { booleanOperand } from '../content-types/attribute-types.js';
import type { Attribute, ContentType, MorphAttribute, ZoneAttribute } from '../content-types/types.js';
import type { ComponentSelection, PopulateNode, PublicationState, RelatedQuery, Selection } from './ast.js';
import { entriesOf, isNothing, isObject, type QueryInput } from './input.js';
import { isUnreachable } from './morphs.js';
import { parseFields } from './parse-fields.js';
import { parseFilters } from './parse-filters.js';
import { parseSort } from './parse-sort.js';
import { isReadable, type Audience } from './visibility.js';

type Attributes = ReadonlyMap<string, Attribute>;

/**
 * Parses `populate` as Strapi v4 does: `*`, names (`a,b.c`, lists), or an object of flags and nested queries. What is
 * unknown, plain, or hidden from the audience is left out silently.
 * @throws AppError invalidParameter for fields, sorts and filters within that the audience may not use
 */
export function parsePopulate(input: unknown, attributes: Attributes, audience: Audience): readonly PopulateNode[] {
  return requestedPaths(input, attributes).flatMap(([name, request]) => {
    const attribute = attributes.get(name);
    if (attribute === undefined || !isReadable(attribute, audience)) return [];
    return parseNode(attribute, request, audience) ?? [];
  });
}

/** What is asked for, by attribute: a nested query, empty for a mere mention. */
function requestedPaths(input: unknown, attributes: Attributes): readonly (readonly [string, QueryInput])[] {
  if (isNothing(input)) return [];
  if (input === '*' || input === true) return [...attributes.keys()].map((name) => [name, {}] as const);
  if (typeof input === 'string') return requestedNames(input.split(','));
  if (Array.isArray(input)) {
    const names = input as readonly unknown[];
    if (!names.every((name) => typeof name === 'string')) throw new AppError('invalidParameter', 'populate');
    return requestedNames(names.flatMap((name) => name.split(',')));
  }
  if (!isObject(input)) throw new AppError('invalidParameter', 'populate');
  return entriesOf(input).flatMap(([name, request]) => {
    if (isObject(request)) return [[name, request] as const];
    return request !== 'f' && request !== 'false' && request !== '0' && booleanOperand(request)
      ? [[name, {}] as const]
      : [];
  });
}

/** As deep as brackets may nest. */
const DEEPEST = 200;

/** `a`, `a.b` and `a.c` ask for `a` with `b` and `c` in it. */
function requestedNames(names: readonly string[]): readonly (readonly [string, QueryInput])[] {
  const nested = new Map<string, string[]>();
  for (const name of names.map((one) => one.trim())) {
    const [root = '', ...rest] = name.split('.', DEEPEST + 1);
    if (rest.length === DEEPEST) throw new AppError('tooCostly', 'levels to populate', DEEPEST);
    const paths = nested.get(root) ?? [];
    if (rest.length > 0) paths.push(rest.join('.'));
    nested.set(root, paths);
  }
  return [...nested].map(([root, populate]) => [root, populate.length > 0 ? { populate } : {}] as const);
}

function parseNode(attribute: Attribute, request: QueryInput, audience: Audience): PopulateNode | undefined {
  const key = attribute.name;
  switch (attribute.kind) {
    case 'scalar':
      return undefined;
    case 'relation':
    case 'morphed': {
      const query = parseRelated(request, attribute.target, audience);
      const unreachable = isUnreachable(attribute) && ({ filter: { kind: 'never' } } as const);
      return { kind: 'relation', key, attribute, query: { ...query, ...unreachable } };
    }
    case 'component': {
      const selection = parseComponent(request, attribute.component.attributes, audience);
      return { kind: 'component', key, attribute, selection };
    }
    case 'zone':
      return { kind: 'zone', key, attribute, on: parseZone(request, attribute, audience) };
    case 'morph':
      return { kind: 'morph', key, attribute, on: parseMorph(request, attribute, audience) };
    default:
      return attribute satisfies never;
  }
}

function parseSelection(request: QueryInput, attributes: Attributes, audience: Audience): Selection {
  return {
    fields: parseFields(request['fields'], attributes, audience),
    populate: parsePopulate(request['populate'], attributes, audience),
  };
}

function parseRelated(request: QueryInput, { attributes }: ContentType, audience: Audience): RelatedQuery {
  return {
    ...parseComponent(request, attributes, audience),
    publicationState: parsePublicationState(request['publicationState']),
    count: booleanOperand(request['count']),
  };
}

function parseComponent(request: QueryInput, attributes: Attributes, audience: Audience): ComponentSelection {
  return {
    ...parseSelection(request, attributes, audience),
    filter: parseFilters(request['filters'], attributes, audience),
    sort: parseSort(request['sort'], attributes, audience),
    start: Math.max(0, wholeNumber(request['start']) ?? 0),
    limit: positive(wholeNumber(request['limit'])),
  };
}

/** With `on`: the components it names; else every component of the zone, each taking what it knows. */
function parseZone(
  request: QueryInput,
  { components }: ZoneAttribute,
  audience: Audience,
): ReadonlyMap<string, Selection> {
  // A zone has no attributes of its own: whatever is named is unknown.
  const unknown = [request['filters'], request['fields']].find((named) => !isNothing(named));
  if (unknown !== undefined) throw new AppError('invalidParameter', nameIn(unknown));
  const on = request['on'];
  const parse = (uid: string, asked: unknown): readonly (readonly [string, Selection])[] => {
    const component = components.get(uid);
    if (component === undefined) return [];
    return [[uid, parseSelection(isObject(asked) ? asked : {}, component.attributes, audience)]];
  };
  if (on === undefined) {
    const { populate } = request;
    return new Map([...components.keys()].flatMap((uid) => parse(uid, populate === undefined ? {} : { populate })));
  }
  return new Map(entriesOf(Object(on) as object).flatMap(([uid, asked]) => parse(uid, asked)));
}

const nameIn = (named: unknown): string =>
  isObject(named) ? (Object.keys(named)[0] ?? '') : String(Array.isArray(named) ? named[0] : named);

/** With `on`: the types it names; else all. */
function parseMorph(
  request: QueryInput,
  { candidates }: MorphAttribute,
  audience: Audience,
): ReadonlyMap<ContentType, RelatedQuery> {
  const on = request['on'];
  if (on === undefined)
    return new Map([...candidates.values()].map((type) => [type, parseRelated({}, type, audience)]));
  return new Map(
    entriesOf(Object(on) as object).flatMap(([uid, asked]) => {
      const type = candidates.get(uid);
      return type === undefined ? [] : [[type, parseRelated(isObject(asked) ? asked : {}, type, audience)] as const];
    }),
  );
}

export const parsePublicationState = (input: unknown): PublicationState =>
  input === 'live' || input === 'preview' ? input : undefined;

function wholeNumber(input: unknown): number | undefined {
  const number = typeof input === 'string' || typeof input === 'number' ? Number(input) : Number.NaN;
  return input !== '' && Number.isSafeInteger(number) ? number : undefined;
}

/** As Strapi v4: 0 and -1 mean no limit. */
const positive = (limit: number | undefined): number | undefined =>
  limit !== undefined && limit > 0 ? limit : undefined;
