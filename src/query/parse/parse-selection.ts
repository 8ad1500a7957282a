import { bounds } from '../../config/bounds.js';
import { isRecord } from '../../config/record.js';
import { AppError } from '../../errors/app-error.js';
import { booleanOperand } from '../../content-types/model/attribute-types.js';
import type {
  Attribute,
  Attributes,
  ContentType,
  MorphAttribute,
  ZoneAttribute,
  Component,
  ScalarAttribute,
} from '../../content-types/model/types.js';
import {
  type ComponentSelection,
  type PopulateNode,
  type PublicationState,
  type RelatedQuery,
  isScalar,
  type Selection,
} from '../ast.js';
import { noValues, parseValues } from '../plugin-parameters.js';
import { entriesOf, isNothing, splitNames, type QueryInput, textOf } from './input.js';
import { attributesFor, isUnreachable, isPopulated, isReadable, type Audience, namesDocuments } from '../visibility.js';
import { memoize } from '../memoize.js';
import { parseFilters } from './parse-filters.js';
import { parseSort } from './parse-sort.js';
import { isLocalizations } from '../../content-types/model/localized.js';
import type { Model } from '../../content-types/model/walk.js';

/** The limits of `populate`. */
export interface PopulateLimits {
  /** The most populated attributes in one query, at all levels together. */
  readonly populateLimit: number;
  /** The levels of `populate=deep` without a number; undefined: `deep` is an ordinary name. */
  readonly deepLevels?: number | undefined;
}

/**
 * Parses `fields` and `populate`, the only parameters that a read of one entry uses.
 * @throws AppError invalidParameter, tooCostly
 */
export function parseSelection(
  input: QueryInput,
  type: ContentType,
  audience: Audience,
  limits: PopulateLimits,
): Selection {
  const fields = selectFieldsOf(input['fields'], type, audience);
  return { ...fields, populate: parsePopulate(input['populate'], type, audience, limits) };
}

/** The attributes that `populate` asks for, in any of its forms. @throws AppError invalidParameter, tooCostly */
export const parsePopulate = (
  input: unknown,
  type: ContentType | Component,
  audience: Audience,
  limits: PopulateLimits,
): readonly PopulateNode[] => {
  const populate = createPopulateParser(audience)(expandDeep(input, type, audience, limits), type.attributes);
  return withinLimit({ populate }, limits.populateLimit).populate;
};

/**
 * The selection itself.
 * @throws AppError tooCostly as soon as there are more populated attributes in it than the limit
 */
export function withinLimit<S extends Pick<Selection, 'populate'>>(selection: S, populateLimit: number): S {
  let left = populateLimit;
  const count = ({ populate }: Pick<Selection, 'populate'>): void => {
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

/** All plain attributes that the audience may read, in the order of the definition. */
export function readableFields(attributes: Attributes, audience: Audience): readonly ScalarAttribute[] {
  return [...attributes.values()].filter(isScalar).filter((attribute) => isReadable(attribute, audience));
}

/**
 * Parses `fields` as Strapi v4 does (corpus: 14-sort-fields-pagination/11-fields):
 * one name, a list of names, or `*` for all; without a value it means all. A comma
 * does not separate names here, blanks around a name do not count. `id` is always read and needs no mention. Every name
 * is checked, also beside `*`.
 * @throws AppError invalidParameter, naming the first field that the audience may not read
 */
export function selectFields(
  input: unknown,
  attributes: Attributes,
  audience: Audience,
): Pick<Selection, 'fields' | 'requestedFields'> {
  if (input === undefined || input === null) return { fields: readableFields(attributes, audience) };
  const names = Array.isArray(input) ? (input as readonly unknown[]) : [input];
  const requestedFields = [...new Set(names.flatMap((name) => parseField(name, attributes, audience) ?? []))];
  return { fields: names.includes('*') ? readableFields(attributes, audience) : requestedFields, requestedFields };
}

/**
 * Parses `fields` for an entry or a component. An audience that knows documents gets the `documentId` of entries,
 * whatever they say.
 */
export const selectFieldsOf = (
  input: unknown,
  model: Model,
  audience: Audience,
): Pick<Selection, 'fields' | 'requestedFields'> =>
  withDocumentId(selectFields(input, attributesFor(model, audience), audience), model, audience);

function withDocumentId<S extends Pick<Selection, 'fields'>>(selected: S, model: Model, audience: Audience): S {
  const id = namesDocuments(audience) && model.kind !== 'component' ? model.documentId : undefined;
  return id === undefined || selected.fields.includes(id)
    ? selected
    : { ...selected, fields: [id, ...selected.fields] };
}

/**
 * Parses `fields` of entries of several types, of which at least one must have each field.
 * @returns the fields of all types by name, and those of each type: all that can be read, and the selected ones
 * @throws AppError invalidParameter
 */
export function selectFieldsOfAny<M extends Model>(input: unknown, models: readonly M[], audience: Audience) {
  const readable = models.map((model) => ({
    model,
    readable: readableFields(attributesFor(model, audience), audience),
  }));
  const all = new Map(readable.flatMap((own) => own.readable.map((field) => [field.name, field] as const)));
  const names = new Set(selectFields(input, all, audience).fields.map(({ name }) => name));
  const byModel = readable.map((own) => ({ ...own, selected: own.readable.filter(({ name }) => names.has(name)) }));
  return { all, byModel };
}

/** Undefined for valid values that are not attributes: `*`, the id, and a name without a value. */
function parseField(input: unknown, attributes: Attributes, audience: Audience): ScalarAttribute | undefined {
  if (input === undefined || input === null || input === '*') return undefined;
  if (typeof input !== 'string') throw new AppError('invalidParameter', 'fields');
  const name = input.trim();
  if (name === 'id') return undefined;
  const attribute = attributes.get(name);
  if (attribute === undefined || !isScalar(attribute) || !isReadable(attribute, audience)) {
    throw new AppError('invalidParameter', name);
  }
  return attribute;
}

/** Parses one `populate` of a query, for the attributes of an entry or component. */
type ParsePopulate = (input: unknown, attributes: Attributes) => readonly PopulateNode[];

interface Parsing {
  readonly audience: Audience;
  readonly parsePopulate: ParsePopulate;
}

/**
 * Parses the `populate`s of one query as Strapi v4 does (corpus: 13-populate/10-forms, 13-populate/11-errors): `*`,
 * names (`a,b.c`, lists), or an object of flags and nested queries. Unknown, scalar and hidden attributes are omitted
 * silently.
 *
 * The components of a zone and the types of a morph relation share what is requested of them, and where they lead back
 * to the zone, the ways through them multiply at each level. So each object is parsed once for the same attributes: the
 * time does not depend on the number of ways, whose nodes are the same objects.
 * @throws AppError invalidParameter for fields, sorts and filters within that the audience may not use
 */
export function createPopulateParser(audience: Audience): ParsePopulate {
  const parseObject = memoize((input: QueryInput) => {
    const requests = requestsIn(input);
    return memoize((attributes: Attributes) => parseRequests(requests, attributes, parsing));
  });
  const parsePopulate: ParsePopulate = (input, attributes) => {
    if (isNothing(input)) return [];
    if (input !== '*' && input !== true) return parseObject(isRecord(input) ? input : nestNames(input))(attributes);
    return parseRequests(
      [...attributes.keys()].map((name) => [name, {}] as const),
      attributes,
      parsing,
    );
  };
  const parsing = { audience, parsePopulate };
  return parsePopulate;
}

/** What is requested of one attribute: a nested query, empty if there are no parameters. */
type Requests = readonly (readonly [name: string, request: QueryInput])[];

const parseRequests = (requests: Requests, attributes: Attributes, parsing: Parsing): readonly PopulateNode[] =>
  requests.flatMap(([name, request]) => {
    const { audience } = parsing;
    const attribute = attributes.get(name);
    if (attribute === undefined || !isReadable(attribute, audience)) return [];
    // Parsed even if it is not visible, so that errors in it are refused.
    const node = parseNode(attribute, request, parsing);
    return node !== undefined && isPopulated(attribute, audience) ? [node] : [];
  });

function parseNode(attribute: Attribute, request: QueryInput, parsing: Parsing): PopulateNode | undefined {
  const key = attribute.name;
  switch (attribute.kind) {
    case 'scalar':
      return undefined;
    case 'relation':
    case 'morphed': {
      refuseNestedRelated(request['populate'], attribute.target);
      const query = parseRelated(request, attribute.target, parsing, key);
      const unreachable = isUnreachable(attribute) && ({ filter: { kind: 'never' } } as const);
      return { kind: 'relation', key, attribute, query: { ...query, ...unreachable } };
    }
    case 'component': {
      const selection = parseComponent(request, attribute.component.attributes, parsing);
      return { kind: 'component', key, attribute, selection, ...countedIn(request, parsing) };
    }
    case 'zone':
      return {
        kind: 'zone',
        key,
        attribute,
        on: parseZone(request, attribute, parsing),
        ...countedIn(request, parsing),
      };
    case 'morph':
      return { kind: 'morph', key, attribute, on: parseMorph(request, attribute, parsing) };
    default:
      return attribute satisfies never;
  }
}

/** In Strapi 5 components are counted like entries (recorded: code/13-populate). */
const countedIn = ({ count }: QueryInput, { audience }: Parsing): { readonly count?: true } =>
  namesDocuments(audience) && booleanOperand(count) ? { count: true } : {};

function parseRelated(request: QueryInput, type: ContentType, parsing: Parsing, key: string): RelatedQuery {
  const { audience } = parsing;
  const parameters = parseValues(request, type, undefined, (name) => `populate[${key}][${name}]`);
  return {
    ...(parameters !== noValues && { parameters }),
    ...withDocumentId(parseComponent(request, attributesFor(type, audience), parsing), type, audience),
    publicationState: parsePublicationState(request['publicationState']),
    count: booleanOperand(request['count']),
  };
}

function parseComponent(
  request: QueryInput,
  attributes: Attributes,
  { audience, parsePopulate }: Parsing,
): ComponentSelection {
  return {
    ...selectFields(request['fields'], attributes, audience),
    populate: parsePopulate(request['populate'], attributes),
    filter: parseFilters(request['filters'], attributes, audience),
    sort: parseSort(request['sort'], attributes, audience),
    start: Math.max(0, toInteger(request['start']) ?? 0),
    limit: positive(toInteger(request['limit'])),
  };
}

/**
 * With `on`: the listed components; otherwise every component of the zone, each with the requested attributes that it
 * has. A zone has no attributes, so parameters next to `on` or without it accept only the id, and `fields` also `*`.
 */
function parseZone(
  request: QueryInput,
  { components }: ZoneAttribute,
  parsing: Parsing,
): ReadonlyMap<string, ComponentSelection> {
  const { on } = request;
  const { filter } = parseComponent({ ...request, populate: undefined }, new Map(), parsing);
  if (on === undefined) {
    return new Map([...components].map(([uid, { attributes }]) => [uid, parseComponent(request, attributes, parsing)]));
  }
  if (filter !== undefined) throw new AppError('invalidParameter', 'filters');
  return new Map(
    listedIn(on, components).map(([{ uid, attributes }, within]) => [uid, parseComponent(within, attributes, parsing)]),
  );
}

/** The listed components or types of those that there are, with what is requested of each. */
const listedIn = <M>(on: unknown, models: ReadonlyMap<string, M>): readonly (readonly [M, QueryInput])[] =>
  entriesOf(Object(on) as object).flatMap(([uid, within]) => {
    const model = models.get(uid);
    return model === undefined ? [] : [[model, isRecord(within) ? within : {}] as const];
  });

/**
 * With `on`: the listed types; otherwise all, each with the attributes that it has. Without `on` filters are refused.
 */
function parseMorph(
  request: QueryInput,
  { name: key, candidates }: MorphAttribute,
  parsing: Parsing,
): ReadonlyMap<ContentType, RelatedQuery> {
  const { on, ...common } = request;
  if (!isNothing(common['filters'])) throw new AppError('invalidParameter', 'filters');
  if (on === undefined) return parseForEach(common, [...candidates.values()], parsing, key);
  return new Map(listedIn(on, candidates).map(([type, within]) => [type, parseRelated(within, type, parsing, key)]));
}

/** The reads of entries of several types. At least one type must have each field and each sort key. */
function parseForEach(
  { fields, sort, ...request }: QueryInput,
  types: readonly ContentType[],
  parsing: Parsing,
  key: string,
): ReadonlyMap<ContentType, RelatedQuery> {
  const { audience } = parsing;
  const { all, byModel } = selectFieldsOfAny(fields, types, audience);
  const keys = parseSort(sort, all, audience).map(({ field }) => field.name);
  return new Map(
    byModel.map(({ model: type, readable, selected }) => {
      const sortable = new Set(['id', ...readable.map(({ name }) => name)]);
      const isSorted = keys.every((name) => sortable.has(name));
      const query = parseRelated({ ...request, ...(isSorted && { sort }) }, type, parsing, key);
      return [type, withDocumentId({ ...query, fields: selected }, type, audience)];
    }),
  );
}

/** The names that a populate in any form lists, without those that it turns off. */
function namesIn(populate: unknown): readonly string[] {
  if (typeof populate === 'string') return populate.split(',').map((path) => path.trim().split('.')[0] ?? '');
  if (Array.isArray(populate)) return populate.flatMap(namesIn);
  return isRecord(populate)
    ? Object.keys(populate).filter((name) => populate[name] !== false && populate[name] !== 'false')
    : [];
}

/**
 * `related` of files is not an attribute: it is computed where files are queried themselves. `*` leaves it out.
 * @throws AppError invalidValue for a populate below a relation to files that names it
 */
export function refuseNestedRelated(populate: unknown, { uid, attributes }: ContentType): void {
  if (uid !== 'plugin::upload.file' || attributes.has('related') || !namesIn(populate).includes('related')) return;
  throw new AppError('invalidValue', 'related of files cannot be populated below another attribute: query the files');
}

/** Undefined without a value. @throws AppError invalidParameter for an unknown state */
export function parsePublicationState(input: unknown): PublicationState {
  if (isNothing(input)) return undefined;
  if (input === 'live' || input === 'preview') return input;
  throw new AppError('invalidParameter', 'publicationState');
}

/**
 * The state of a list: as in Strapi v4, null replaces the default.
 * @throws AppError invalidParameter for an unknown state
 */
export const parseStateOfList = (input: unknown): PublicationState =>
  input === null ? 'preview' : parsePublicationState(input);

function toInteger(input: unknown): number | undefined {
  const number = typeof input === 'string' || typeof input === 'number' ? Number(input) : Number.NaN;
  return input !== '' && Number.isSafeInteger(number) ? number : undefined;
}

/** As Strapi v4: 0 and -1 mean no limit. */
const positive = (limit: number | undefined): number | undefined =>
  limit !== undefined && limit > 0 ? limit : undefined;

/** The attributes that an object of flags and nested queries populates. */
const requestsIn = (input: QueryInput): Requests =>
  entriesOf(input).flatMap(([name, request]) => {
    if (isRecord(request)) return [[name, request] as const];
    return request !== 'f' && request !== 'false' && request !== '0' && booleanOperand(request)
      ? [[name, {}] as const]
      : [];
  });

/** The object that means the same as names. @throws AppError invalidParameter, tooCostly */
function nestNames(input: unknown): QueryInput {
  const names: readonly unknown[] = Array.isArray(input) ? input : [input];
  if (!names.every((name) => typeof name === 'string')) throw new AppError('invalidParameter', 'populate');
  return nest(splitNames(names));
}

/** `a`, `a.b` and `a.c` ask for `a` with `b` and `c` in it. */
function nest(names: readonly string[]): QueryInput {
  const nested = new Map<string, string[]>();
  for (const name of names.map((path) => path.trim())) {
    const most = bounds.populateLevels;
    const [root = '', ...rest] = name.split('.', most + 1);
    if (rest.length === most) throw new AppError('tooCostly', 'levels to populate', most);
    const paths = nested.get(root) ?? [];
    if (rest.length > 0) paths.push(rest.join('.'));
    nested.set(root, paths);
  }
  return Object.fromEntries(
    [...nested].map(([root, paths]) => [root, paths.length > 0 ? { populate: nest(paths) } : {}]),
  );
}

const deepPattern = /^deep(?:,(\d{1,9}))?$/;

/**
 * Expands `deep` and `deep,<levels>` like strapi-plugin-populate-deep: it populates everything in `n` levels, including
 * the level of the entry itself. It does not go below media, localizations and morph relations. A path contains an
 * attribute only once and does not return through its other side, so cycles end.
 * @throws AppError tooCostly as soon as there are more attributes than the limit; invalidParameter for levels that are
 * not a number
 */
function expandDeep(
  input: unknown,
  { attributes }: ContentType | Component,
  audience: Audience,
  { populateLimit, deepLevels }: PopulateLimits,
): unknown {
  const text: unknown = Array.isArray(input) ? textOf(input) : input;
  if (deepLevels === undefined || attributes.has('deep') || typeof text !== 'string') return input;
  if (text !== 'deep' && !text.startsWith('deep,')) return input;
  const [matched, levels] = deepPattern.exec(text) ?? [];
  if (matched === undefined) throw new AppError('invalidParameter', 'populate');
  let remaining = populateLimit;

  const expand = (of: Attributes, level: number, path: ReadonlySet<Attribute>): QueryInput => {
    if (level <= 1) return {};
    const requests = [...of.values()].flatMap((attribute): (readonly [string, unknown])[] => {
      if (attribute.kind === 'scalar' || path.has(attribute) || !isPopulated(attribute, audience)) return [];
      if (remaining === 0) throw new AppError('tooCostly', 'populated attributes', populateLimit);
      remaining -= 1;
      return [[attribute.name, requestOf(attribute, level - 1, path)]];
    });
    return requests.length === 0 ? {} : { populate: Object.fromEntries(requests) };
  };

  const requestOf = (attribute: Attribute, level: number, path: ReadonlySet<Attribute>): QueryInput => {
    const onPath = new Set([...path, attribute]);
    switch (attribute.kind) {
      case 'relation': {
        const { media, target, inverse } = attribute;
        // Localizations lead to entries of their own type.
        if (media || isLocalizations(attribute, target)) return {};
        const otherSide = inverse === undefined ? undefined : target.attributes.get(inverse);
        return expand(target.attributes, level, otherSide ? onPath.add(otherSide) : onPath);
      }
      case 'morphed': {
        const otherSide = attribute.target.attributes.get(attribute.morphBy);
        return expand(attribute.target.attributes, level, otherSide ? onPath.add(otherSide) : onPath);
      }
      case 'component':
        return expand(attribute.component.attributes, level, onPath);
      case 'zone': {
        const on = [...attribute.components].map(
          ([uid, component]) => [uid, expand(component.attributes, level, onPath)] as const,
        );
        return { on: Object.fromEntries(on) };
      }
      case 'scalar':
      case 'morph':
        return {};
      default:
        return attribute satisfies never;
    }
  };

  return expand(attributes, levels === undefined ? deepLevels : Number(levels), new Set())['populate'];
}
