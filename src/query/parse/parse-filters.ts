import { bounds } from '../../config/bounds.js';
import { isRecord } from '../../config/record.js';
import { AppError } from '../../errors/app-error.js';
import type { Attributes, ZoneAttribute } from '../../content-types/model/types.js';
import { id, isScalar, type Filter, type Comparison, type Field } from '../ast.js';
import { entriesOf, isNested, isNothing, textOf } from './input.js';
import { isOperator, operators, type Operator } from '../operators.js';
import { attributesFor, isClient, isReadable, type Audience } from '../visibility.js';
import {
  attributeTypes,
  booleanOperand,
  idOperand,
  type ScalarValue,
} from '../../content-types/model/attribute-types.js';

/**
 * Parses `filters` as Strapi v4 does: attributes and `$and`, `$or`, `$not`, joined by and; relations and components
 * nest. Unknown operators on an attribute are ignored, unknown attributes are refused (corpus:
 * 12-deep-filters/13-invalid).
 * @throws AppError invalidParameter, naming the first key that the audience may not filter by; invalidValue, tooCostly
 */
export function parseFilters(input: unknown, attributes: Attributes, audience: Audience): Filter | undefined {
  if (isNothing(input)) return undefined;
  if (isTooDeep(input)) throw new AppError('invalidParameter', 'filters');
  if (isClient(audience) && countValues(input) > bounds.filterValues)
    throw new AppError('tooCostly', 'values in a filter', bounds.filterValues);
  return parseFilter(input, attributes, audience);
}

/** Deeper brackets are an unknown parameter to Strapi v4 (corpus: 21-query-errors/11-odd). */
const isTooDeep = (input: unknown, level = 0): boolean =>
  typeof input === 'object' &&
  input !== null &&
  (level === bounds.filterLevels || Object.values(input).some((part) => isTooDeep(part, level + 1)));

/** An empty condition counts, too: GraphQL sends filters in a body, which has room for a hundred thousand. */
const countValues = (input: unknown): number =>
  typeof input === 'object' && input !== null
    ? Math.max(
        1,
        Object.values(input).reduce<number>((count, part) => count + countValues(part), 0),
      )
    : 1;

/** Undefined, which is possible only in code and GraphQL, means no filter; any other value must be a filter. */
function parseFilter(input: unknown, attributes: Attributes, audience: Audience): Filter | undefined {
  if (input === undefined) return undefined;
  const nested: ParsePart = (part) => parseFilter(part, attributes, audience);
  if (Array.isArray(input)) return join('and', input.map(nested));
  if (!isRecord(input)) throw new AppError('invalidParameter', 'filters');
  const conditions = entriesOf(input).map(([key, value]) => {
    const group = parseGroup(key, value, nested);
    return group === 'none' ? parseEntry(key, value, attributes, audience) : group;
  });
  return join('and', conditions);
}

function parseEntry(key: string, value: unknown, attributes: Attributes, audience: Audience): Filter | undefined {
  if (key === 'id') return parseConditions(id, value, (name) => attributes.has(name));
  const attribute = attributes.get(key);
  if (attribute === undefined || !isReadable(attribute, audience)) throw new AppError('invalidParameter', key);
  switch (attribute.kind) {
    case 'scalar':
      return parseConditions(attribute, value, (name) => name === 'id' || attributes.has(name));
    case 'relation':
    case 'morphed': {
      const filter = parseInner(value, attributesFor(attribute.target, audience), audience);
      return filter && { kind: 'related', attribute, filter };
    }
    case 'component': {
      const filter = parseInner(value, attribute.component.attributes, audience);
      return filter && { kind: 'component', attribute, filter };
    }
    case 'zone':
      return parseZone(value, attribute, audience);
    case 'morph':
      throw new AppError('invalidParameter', key);
    default:
      return attribute satisfies never;
  }
}

/**
 * Conditions on the components of a zone by their type, `[$on][blocks.quote][text]=x`, because a zone has no
 * attributes.
 */
function parseZone(value: unknown, attribute: ZoneAttribute, audience: Audience): Filter | undefined {
  const { $on: on, ...others } = isRecord(value) ? value : {};
  if (!isRecord(on) || Object.keys(others).length > 0) throw new AppError('invalidParameter', attribute.name);
  const conditions = entriesOf(on).map(([uid, within]) => {
    const component = attribute.components.get(uid);
    if (component === undefined) throw new AppError('invalidParameter', uid);
    const filter = parseInner(within, component.attributes, audience);
    return filter && ({ kind: 'zone', attribute, component, filter } as const);
  });
  return join('and', conditions);
}

/**
 * Behind a relation or component: conditions on its attributes, or directly on its id (`author=1`, `author[$null]`).
 */
function parseInner(value: unknown, attributes: Attributes, audience: Audience): Filter | undefined {
  const isName = (name: string): boolean => attributes.has(name);
  if (!isRecord(value)) return parseConditions(id, value, isName);
  const nested: ParsePart = (part) => parseInner(part, attributes, audience);
  const conditions = entriesOf(value).map(([key, part]) => {
    const group = parseGroupOfConditions(key, part, nested);
    if (group !== 'none') return group;
    return isOperator(key) ? parseCondition(id, key, part, isName) : parseEntry(key, part, attributes, audience);
  });
  return join('and', conditions);
}

/** Whether this key names an attribute at the level of the conditions: then it is misplaced, not unknown. */
type IsName = (key: string) => boolean;

/**
 * Parses the conditions on one attribute: a value (equal), a list (any of them), or operators. Unknown keys are ignored
 * (corpus: 12-deep-filters/13-invalid). They are refused on an id, and if they are an attribute or an operator in the
 * wrong place.
 * @throws AppError invalidParameter, invalidValue, tooCostly
 */
function parseConditions(field: Field, value: unknown, isName: IsName): Filter | undefined {
  if (Array.isArray(value)) {
    const values = plainValues(field, value, isName).filter((element) => element !== null);
    const filters = values.map((element) => compare(field, '$eq', element));
    if (value.length === 0) return inNoList(field);
    return join('or', filters) ?? comparison(field, '$in');
  }
  if (!isNested(value)) return compare(field, '$eq', value);
  refuseLongList(value);
  const conditions = entriesOf(value).map(([key, part]) => {
    // In Strapi v4 only `$not` is possible there: unknown keys within the others were not recorded.
    const within = key === '$not' ? isName : () => true;
    const group = parseGroupOfConditions(key, part, (input) => parseConditions(field, input, within));
    if (group !== 'none') return group;
    return isOperator(key) ? parseCondition(field, key, part, isName) : ignore(field, [key], isName);
  });
  return join('and', conditions);
}

/** Parses one of the filters that a group joins. */
type ParsePart = (input: unknown) => Filter | undefined;

/** `$and`, `$or` and `$not`, of whole filters or of the conditions of one attribute; `none`: the key is no group. */
function parseGroup(key: string, value: unknown, parse: ParsePart): Filter | undefined | 'none' {
  if (key === '$and' || key === '$or') {
    const conditions = Array.isArray(value) ? (value as readonly unknown[]) : [value];
    return join(key === '$and' ? 'and' : 'or', conditions.map(parse));
  }
  if (key !== '$not') return 'none';
  const filter = parse(value);
  return filter && { kind: 'not', filter };
}

/**
 * `$and`, `$or` and `$not` of the conditions of one attribute: `$not` takes a list there, of which any value may be the
 * one that does not match.
 */
function parseGroupOfConditions(key: string, value: unknown, parse: ParsePart): Filter | undefined | 'none' {
  if (key !== '$not' || !Array.isArray(value)) return parseGroup(key, value, parse);
  const filters = value.map(parse).filter((filter) => filter !== undefined);
  return join(
    'or',
    filters.map((filter) => ({ kind: 'not', filter })),
  );
}

/**
 * Parses one operator with its operands.
 * @throws AppError invalidParameter, invalidValue, tooCostly
 */
function parseCondition(field: Field, operator: Operator, value: unknown, isName: IsName): Filter | undefined {
  const rule = operators[operator];
  if (rule.operands === 'flag') {
    if (field.kind === 'id') refuseUnknown(value, isName);
    return comparison(field, booleanOperand(value) === (operator === '$null') ? '$null' : '$notNull');
  }
  if (isNested(value)) {
    refuseLongList(value);
    return ignore(field, Object.keys(value), isName);
  }
  const values = plainValues(field, Array.isArray(value) ? value : [value], isName);
  refuseHalfPairs(field, values);
  switch (rule.operands) {
    case 'each':
      return join(
        'or',
        values.map((element) => compare(field, operator, element)),
      );
    case 'many':
      if (Array.isArray(value) && value.length === 0) {
        return rule.opposite === undefined ? inNoList(field) : { kind: 'not', filter: inNoList(field) };
      }
      // As in SQL, nothing is certainly outside a list that contains null.
      if (rule.opposite !== undefined && values.includes(null)) return { kind: 'never' };
      return comparison(
        field,
        operator,
        values.flatMap((element) => cast(field, element) ?? []),
      );
    case 'pair':
      return parsePair(field, operator, values);
    default:
      return rule.operands satisfies never;
  }
}

function parsePair(field: Field, operator: Operator, values: readonly unknown[]): Filter {
  if (values.length !== 2) throw new AppError('invalidParameter', operator);
  if (values.includes(null)) return { kind: 'never' };
  const [low, high] = values.map((element) => cast(field, element));
  if (low === undefined) return comparison(field, '$in');
  return high === undefined ? comparison(field, '$gte', [low]) : comparison(field, operator, [low, high]);
}

/**
 * Matches nothing, and under `not` everything, also null: no value is in an empty list. (The negation of `never`
 * matches nothing either.)
 */
const inNoList = (field: Field): Filter => ({
  kind: 'and',
  filters: [comparison(field, '$null'), comparison(field, '$notNull')],
});

function compare(field: Field, operator: Operator, value: unknown): Filter {
  const { withNull, withText, text } = operators[operator];
  if (value === null && withNull !== undefined) return comparison(field, withNull);
  if (text) {
    refuseLongText(String(value));
    return comparison(field, operator, [String(value)]);
  }
  if (value === null) return { kind: 'never' };
  const operand = cast(field, value);
  return operand === undefined ? comparison(field, withText ?? '$in') : comparison(field, operator, [operand]);
}

/** Undefined: no value that is stored equals it. */
function cast(field: Field, value: unknown): ScalarValue | undefined {
  if (value === null) return undefined;
  return field.kind === 'id' ? idOperand(value) : attributeTypes[field.type].operand(value);
}

/** The values of a list. As in Strapi v4, a nested list is a single string; objects are ignored or refused. */
const plainValues = (field: Field, list: readonly unknown[], isName: IsName): readonly unknown[] =>
  list.flatMap((element) => {
    if (isNested(element)) return ignore(field, Object.keys(element), isName) ?? [];
    return [Array.isArray(element) ? textOf(element) : element];
  });

/** @throws AppError invalidParameter, naming the first of the keys that is misplaced; on an id all are */
function ignore(field: Field, keys: readonly string[], isName: IsName): undefined {
  const misplaced = keys.find((key) => field.kind === 'id' || isOperator(key) || isGroup(key) || isName(key));
  if (misplaced !== undefined) throw new AppError('invalidParameter', misplaced);
}

/**
 * Any value sets a flag. As in Strapi v4, keys in it must be names, here too only on an id.
 * @throws AppError invalidParameter
 */
function refuseUnknown(value: unknown, isName: IsName): void {
  if (Array.isArray(value)) for (const element of value) refuseUnknown(element, isName);
  else if (isNested(value)) {
    const unknown = Object.keys(value).find((key) => !(key === 'id' || isOperator(key) || isGroup(key) || isName(key)));
    if (unknown !== undefined) throw new AppError('invalidParameter', unknown);
  }
}

/** Whether a key joins or negates filters. */
export const isGroup = (key: string): boolean => key === '$and' || key === '$or' || key === '$not';

/** No stored string contains half of a surrogate pair, and the database would convert it to another character. */
function refuseHalfPairs({ name }: Field, values: readonly unknown[]): void {
  if (values.some((value) => typeof value === 'string' && !value.isWellFormed())) {
    throw new AppError('invalidValue', `The filter of ${name} must not contain half of a surrogate pair`);
  }
}

/** A list of more than 100 values arrives as an object, which Strapi v4 ignores. */
function refuseLongList(value: object): void {
  const most = bounds.listValues;
  if (Object.keys(value).length > most) throw new AppError('tooCostly', 'values in a list', most);
}

function refuseLongText({ length }: string): void {
  const most = bounds.searchedCharacters;
  if (length > most) throw new AppError('tooCostly', 'characters in a text to search for', most);
}

const comparison = (field: Field, operator: Operator, operands: readonly ScalarValue[] = []): Comparison => ({
  kind: 'comparison',
  field,
  operator,
  operands,
});

/** Combines filters; empty conditions are omitted, as Strapi v4 removes empty objects. */
function join(kind: 'and' | 'or', conditions: readonly (Filter | undefined)[]): Filter | undefined {
  const filters = conditions.filter((part) => part !== undefined);
  return filters.length > 1 ? { kind, filters } : filters[0];
}

/**
 * Parses `_q` as Strapi v4 does (corpus: 22-search/10-search):
 * searches all searchable strings and the id, and numbers if the term is a number. Attributes
 * that the audience cannot read are never searched.
 * @throws AppError invalidParameter if it is not a string, tooCostly if it is too long
 */
export function parseSearch(input: unknown, attributes: Attributes, audience: Audience): Filter | undefined {
  if (isNothing(input)) return undefined;
  if (typeof input !== 'string') throw new AppError('invalidParameter', '_q');
  refuseLongText(input);
  const isNumber = !Number.isNaN(Number(input));
  const fields = [...attributes.values()]
    .filter(isScalar)
    .filter(({ type, searchable }) => searchable && (isNumber || attributeTypes[type].kind !== 'number'))
    .filter((attribute) => isReadable(attribute, audience));
  return { kind: 'search', text: input, fields: isNumber ? [id, ...fields] : fields };
}
