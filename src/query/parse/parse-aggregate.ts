import { bounds } from '../../config/bounds.js';
import { isRecord } from '../../config/record.js';
import type { JsonSchema } from '../../content-types/model/attribute-types.js';
import type {
  Attribute,
  Attributes,
  ComponentAttribute,
  ContentType,
  ScalarAttribute,
  ScalarType,
} from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import {
  COUNT,
  isList,
  mapFilter,
  measureField,
  type Aggregate,
  type Field,
  type Filter,
  type GroupKey,
  type GroupSort,
  type Measure,
  type Query,
  type ValuePath,
} from '../ast.js';
import { hasPart, isDatePart, isMeasured, measureFunctions, measures, type MeasureFunction } from '../measures.js';
import { parseValues } from '../plugin-parameters.js';
import { attributesFor, isPopulated, type Audience } from '../visibility.js';
import { isNothing, textOf, type QueryInput } from './input.js';
import { parseFilters } from './parse-filters.js';
import { parsePagination } from './parse-pagination.js';
import { parameters, parseParameters, type QueryLimits } from './parse-query.js';
import { parseDirection, resolvePath, writtenPaths, type WrittenPath } from './parse-sort.js';

/**
 * Parses the parameters of a request for groups of a list's entries: those of the list that select entries, `groupBy`,
 * measures, `having`, and `sort` and `pagination` of the groups.
 * @throws AppError invalidParameter, naming the first key or measure that the audience may not sort by, or not see;
 * tooCostly; as `parseQuery`
 */
export function parseAggregate(input: QueryInput, type: ContentType, audience: Audience, limits: QueryLimits): Query {
  for (const name of ['fields', 'populate', 'count'])
    if (!isNothing(input[name])) throw new AppError('invalidParameter', name);
  const ofList = parameters.filter(({ part }) => part === 'filter' || part === 'state');
  const list = parseParameters(ofList, { input, type, audience, limits });
  const keys = parseKeys(input['groupBy'], type, audience);
  const asked = measureFunctions.flatMap((name) => parseMeasures(name, input[name], type, audience));
  refuseMany(keys, asked);
  refuseSharedLists(keys, asked);
  const aggregate: Aggregate = {
    keys,
    measures: asked,
    having: parseHaving(input['having'], type, asked, audience),
    sort: parseGroupSort(input['sort'], keys, asked),
    timeZone: parseTimeZone(input['timeZone']),
  };
  const { pagination } = input;
  if (isRecord(pagination) && pagination['after'] !== undefined)
    throw new AppError('invalidCursor', 'groups have pages alone');
  return {
    type,
    fields: [],
    populate: [],
    filter: undefined,
    publicationState: undefined,
    ...list,
    sort: [],
    pagination: parsePagination(input, limits, []),
    parameters: parseValues(input, type),
    aggregate,
  };
}

function parseKeys(input: unknown, type: ContentType, audience: Audience): readonly GroupKey[] {
  const keys = pathsIn(input, 'groupBy').map(({ option, ...written }): GroupKey => {
    const path = shownPath({ ...written, option }, type, audience);
    const name = written.path.join('.');
    if (isNothing(option)) return { name, path };
    const part = textOf(option);
    if (!isDatePart(part) || !hasPart(typeOf(path.field), part)) throw new AppError('invalidParameter', part);
    return { name, path, part };
  });
  const twice = keys.find(({ name }, index) => keys.findIndex((key) => key.name === name) < index);
  if (twice !== undefined) throw new AppError('invalidParameter', twice.name);
  return keys;
}

function parseMeasures(
  name: MeasureFunction,
  input: unknown,
  type: ContentType,
  audience: Audience,
): readonly Measure[] {
  const asked = pathsIn(input, name).map(({ path: names, option }): Measure => {
    const path = shownPath({ path: names, option }, type, audience);
    if (!isNothing(option)) throw new AppError('invalidParameter', textOf(option));
    if (!isMeasured(typeOf(path.field), name)) throw new AppError('invalidParameter', names.at(-1) ?? name);
    return { function: name, name: names.join('.'), path };
  });
  return asked.filter((measure, index) => asked.findIndex((one) => one.name === measure.name) === index);
}

/**
 * The paths of a parameter, in any form of `sort`, and with strings and objects in one list.
 * @throws AppError invalidParameter
 */
function pathsIn(input: unknown, parameter: string): readonly Omit<WrittenPath, 'isLost'>[] {
  if (isNothing(input)) return [];
  const elements: readonly unknown[] = Array.isArray(input) ? input : [input];
  return elements.flatMap((element) => {
    if (typeof element !== 'string' && !isRecord(element)) throw new AppError('invalidParameter', parameter);
    return writtenPaths(element).map(({ path, option }) => ({ path: path.flatMap((name) => name.split('.')), option }));
  });
}

/** A value that a list can be sorted by, and that answers can show. @throws AppError invalidParameter */
function shownPath(written: Omit<WrittenPath, 'isLost'>, type: ContentType, audience: Audience): ValuePath {
  const path = resolvePath(written, attributesFor(type, audience), audience);
  const unseen = path.through.find((step) => !isPopulated(step, audience));
  if (unseen !== undefined) throw new AppError('invalidParameter', unseen.name);
  return path;
}

/** An id is an integer. */
const typeOf = (field: Field): ScalarType => (field.kind === 'id' ? 'integer' : field.type);

function refuseMany(keys: readonly GroupKey[], asked: readonly Measure[]): void {
  const { groupKeys, measures: most, groupRelations } = bounds;
  if (keys.length > groupKeys) throw new AppError('tooCostly', 'keys in groupBy', groupKeys);
  if (asked.length > most) throw new AppError('tooCostly', 'measures', most);
  const relations = new Set(
    [...keys, ...asked].flatMap(({ path: { through } }) =>
      through.flatMap(({ kind }, index) =>
        kind === 'relation' ? [namesOf(through.slice(0, index + 1)).join('.')] : [],
      ),
    ),
  );
  // Each is a step of the database.
  if (relations.size > groupRelations)
    throw new AppError('tooCostly', 'relations in keys and measures', groupRelations);
}

const namesOf = (steps: readonly { readonly name: string }[]): readonly string[] => steps.map(({ name }) => name);

/** The lists on a path, each as the names of its steps. */
const listsOn = ({ through }: ValuePath): readonly string[] =>
  through.flatMap((step, index) => (isList(step) ? [namesOf(through.slice(0, index + 1)).join('.')] : []));

/**
 * A key means one component or entry of a list, a measure all of them: of the same list they would contradict each
 * other. Several values of an entry can be added up, but they are not counted apart from those of others.
 */
function refuseSharedLists(keys: readonly GroupKey[], asked: readonly Measure[]): void {
  const ofKeys = new Map(keys.flatMap(({ name, path }) => listsOn(path).map((list) => [list, name] as const)));
  for (const { function: measure, name, path } of asked) {
    const lists = listsOn(path);
    const shared = lists.find((list) => ofKeys.has(list));
    if (shared !== undefined) {
      const reason = `groupBy goes through the list ${shared}, too: read the entries of ${shared} by themselves`;
      throw new AppError('invalidValue', `${measure}=${name} has no meaning beside ${ofKeys.get(shared)}: ${reason}`);
    }
    if (measure === 'countDistinct' && lists.length > 0) {
      const instead = `group by ${name} instead: the total of the groups is their number`;
      throw new AppError('invalidValue', `countDistinct=${name} goes through the list ${lists.at(-1)}: ${instead}`);
    }
  }
}

/** The result of a measure as an attribute, which is filtered and answered like one. */
export function measureAttribute({ function: name, path: { field } }: Measure, index: number, type: ContentType) {
  const result = measures[name].result(typeOf(field));
  const like: ScalarAttribute = {
    kind: 'scalar',
    name: measureField(index),
    type: result,
    dialect: type.dialect,
    required: false,
    private: false,
    writable: false,
    pluginOptions: {},
    unique: false,
    searchable: false,
  };
  return field.kind === 'scalar' && field.enum !== undefined ? { ...like, enum: field.enum } : like;
}

/** Conditions in the language of filters: `having[count][$gte]=3`, `having[sum][views][$lt]=10`. */
function parseHaving(
  input: unknown,
  type: ContentType,
  asked: readonly Measure[],
  audience: Audience,
): Filter | undefined {
  if (isNothing(input)) return undefined;
  const number: Measure = {
    function: 'countDistinct',
    name: COUNT,
    path: { through: [], field: { kind: 'id', name: 'id' } },
  };
  const count = { ...measureAttribute(number, 0, type), name: COUNT };
  const ofFunctions = measureFunctions.flatMap((name) => {
    const attributes = asked.flatMap((measure, index) =>
      measure.function === name ? [[measure.name, measureAttribute(measure, index, type)] as const] : [],
    );
    return attributes.length === 0 ? [] : [[name, componentOf(name, new Map(attributes))] as const];
  });
  const attributes: Attributes = new Map<string, Attribute>([[COUNT, count], ...ofFunctions]);
  const filter = parseFilters(input, attributes, audience);
  return filter && withoutIds(filter, attributes);
}

/** The results of one function as a component, so that conditions on them nest. */
const componentOf = (name: string, attributes: ReadonlyMap<string, ScalarAttribute>): ComponentAttribute => ({
  kind: 'component',
  name,
  repeatable: false,
  component: { kind: 'component', uid: name, displayName: name, attributes },
  required: false,
  private: false,
  writable: false,
  pluginOptions: {},
});

/** Groups have no id, but measures of ids. @throws AppError invalidParameter */
function withoutIds(filter: Filter, attributes: Attributes): Filter {
  const within = filter.kind === 'component' ? filter.attribute.component.attributes : attributes;
  if (filter.kind !== 'comparison' || filter.field.kind !== 'id')
    return mapFilter(filter, (part) => withoutIds(part, within));
  const measure = attributes.get('id');
  if (measure?.kind !== 'scalar') throw new AppError('invalidParameter', 'having');
  return { ...filter, field: measure };
}

/** Where a key has the name of a measure, it is `key.` with its name. @throws AppError invalidParameter */
function parseGroupSort(input: unknown, keys: readonly GroupKey[], asked: readonly Measure[]): readonly GroupSort[] {
  return pathsIn(input, 'sort').map(({ path, option }) => {
    const direction = parseDirection(option);
    const name = path.join('.');
    if (name === COUNT) return { by: COUNT, direction };
    const measure = asked.findIndex((one) => `${one.function}.${one.name}` === name);
    if (measure >= 0) return { by: { measure }, direction };
    const key = keys.findIndex((one) => one.name === name || `key.${one.name}` === name);
    if (key >= 0) return { by: { key }, direction };
    throw new AppError('invalidParameter', name);
  });
}

const OFFSET = /^[+-](?:0\d|1[0-4]):[0-5]\d$/;

/** @throws AppError invalidParameter */
function parseTimeZone(input: unknown): string {
  if (isNothing(input)) return 'UTC';
  if (typeof input !== 'string') throw new AppError('invalidParameter', 'timeZone');
  // A plus sign in a URL is a blank.
  const offset = input.replace(/^ /, '+');
  if (OFFSET.test(offset)) return offset;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: input }).resolvedOptions().timeZone;
  } catch {
    throw new AppError('invalidParameter', 'timeZone');
  }
}

const names = (description: string, example: string): JsonSchema => ({
  description,
  schema: { type: 'array', items: { type: 'string' } },
  explode: true,
  example: [example],
});

/** What OpenAPI says about the parameters that groups have beside those of lists, by their names. */
export const aggregateParameters: Readonly<Record<string, JsonSchema>> = {
  groupBy: names(
    'E.g. `author.name`; a date or time by its `year`, `quarter`, `month`, `week`, `day` or `hour`: `createdAt:month`',
    'createdAt:month',
  ),
  ...Object.fromEntries(
    measureFunctions.map((name) => [name, names(`Of each group ${measures[name].description} of these`, 'id')]),
  ),
  having: {
    style: 'deepObject',
    explode: true,
    description: 'Conditions on the groups, e.g. `having[count][$gte]=3`',
    schema: { type: 'object' },
    example: { count: { $gte: 1 } },
  },
  timeZone: {
    description: 'Where the days of `groupBy` begin, e.g. `Europe/Berlin`',
    schema: { type: 'string', default: 'UTC' },
  },
};
