import { AppError } from '../../errors/app-error.js';
import {
  attributeTypes,
  booleanOperand,
  idOperand,
  type ScalarValue,
  isWellFormed,
} from '../../content-types/model/attribute-types.js';
import type { Comparison, Field, Filter } from '../ast.js';
import { entriesOf, isObject } from './input.js';
import { isOperator, operators, type Operator } from '../operators.js';

/** Is this key the name of an attribute at the level of the conditions? Then it is misplaced, not unknown. */
export type IsName = (key: string) => boolean;

/**
 * Parses the conditions on one attribute: a value (equal), a list (any of them), or operators. As recorded of Strapi v4,
 * unknown keys are ignored. They are refused on an id, and if they are an attribute or an operator in the wrong place.
 * @throws AppError invalidParameter, invalidValue, tooCostly
 */
export function parseConditions(field: Field, value: unknown, isName: IsName): Filter | undefined {
  if (Array.isArray(value)) {
    const values = plainValues(field, value, isName).filter((element) => element !== null);
    const filters = values.map((element) => compare(field, '$eq', element));
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

/** `$and`, `$or` and `$not`, of whole filters or of the conditions of one attribute. */
export function parseGroup(
  key: string,
  value: unknown,
  parse: (input: unknown) => Filter | undefined,
): Filter | undefined | 'none' {
  if (key === '$and' || key === '$or') {
    const conditions = Array.isArray(value) ? (value as readonly unknown[]) : [value];
    return join(key === '$and' ? 'and' : 'or', conditions.map(parse));
  }
  if (key !== '$not') return 'none';
  const filter = parse(value);
  return filter && { kind: 'not', filter };
}

/** The same for conditions, where `$not` is a normal operator: with a list, any value may be the one that does not match. */
export function parseGroupOfConditions(
  ...[key, value, parse]: Parameters<typeof parseGroup>
): ReturnType<typeof parseGroup> {
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
export function parseCondition(field: Field, operator: Operator, value: unknown, isName: IsName): Filter | undefined {
  const rule = operators[operator];
  if (rule.operands === 'flag') {
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
      // As in SQL, nothing is certainly outside a list that contains null.
      if (rule.negative && values.includes(null)) return { kind: 'never' };
      return comparison(
        field,
        operator,
        values.flatMap((element) => cast(field, element) ?? []),
      );
    case 'pair':
      return parsePair(field, operator, values);
    default:
      return rule satisfies never;
  }
}

function parsePair(field: Field, operator: Operator, values: readonly unknown[]): Filter {
  if (values.length !== 2) throw new AppError('invalidParameter', operator);
  if (values.includes(null)) return { kind: 'never' };
  const [low, high] = values.map((element) => cast(field, element));
  if (low === undefined) return comparison(field, '$in');
  return high === undefined ? comparison(field, '$gte', [low]) : comparison(field, operator, [low, high]);
}

/** Comparisons with null in SQL and in Strapi v4; other operators match nothing, or compare its text. */
const withNull: Partial<Record<Operator, Operator>> = {
  $eq: '$null',
  $eqi: '$null',
  $ne: '$notNull',
  $nei: '$notNull',
};

/** Comparisons of numbers with a string: it sorts after them and equals none (SQLite). */
const withText: Partial<Record<Operator, Operator>> = { $ne: '$notNull', $lt: '$notNull', $lte: '$notNull' };

function compare(field: Field, operator: Operator, value: unknown): Filter {
  const nullOperator = value === null ? withNull[operator] : undefined;
  if (nullOperator !== undefined) return comparison(field, nullOperator);
  if (operators[operator].text) return comparison(field, operator, [String(value)]);
  if (value === null || value === undefined) return { kind: 'never' };
  const operand = cast(field, value);
  return operand === undefined
    ? comparison(field, withText[operator] ?? '$in')
    : comparison(field, operator, [operand]);
}

/** Undefined: no value that is stored equals it. */
function cast(field: Field, value: unknown): ScalarValue | undefined {
  if (value === null || value === undefined) return undefined;
  return field.kind === 'id' ? idOperand(value) : attributeTypes[field.type].operand(value);
}

/** The values of a list. As in Strapi v4, a nested list is a single string; objects are ignored or refused. */
const plainValues = (field: Field, list: readonly unknown[], isName: IsName): readonly unknown[] =>
  list.flatMap((element) => {
    if (isNested(element)) return ignore(field, Object.keys(element), isName) ?? [];
    return [Array.isArray(element) ? String(element) : element];
  });

const isNested = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && !(value instanceof Date);

/** @throws AppError invalidParameter, naming the first of the keys that is misplaced; on an id all are */
function ignore(field: Field, keys: readonly string[], isName: IsName): undefined {
  const misplaced = keys.find((key) => field.kind === 'id' || isOperator(key) || isGroup(key) || isName(key));
  if (misplaced !== undefined) throw new AppError('invalidParameter', misplaced);
}

const isGroup = (key: string): boolean => key === '$and' || key === '$or' || key === '$not';

/** No stored string contains half of a surrogate pair, and the database would convert it to another character. */
function refuseHalfPairs({ name }: Field, values: readonly unknown[]): void {
  if (values.some((value) => typeof value === 'string' && !isWellFormed(value))) {
    throw new AppError('invalidValue', `The filter of ${name} must not contain half of a surrogate pair`);
  }
}

/** A list of more than 100 values arrives as an object, which Strapi v4 ignores. */
function refuseLongList(value: object): void {
  if (Object.keys(value).length > MAX_LIST_LENGTH) throw new AppError('tooCostly', 'values in a list', MAX_LIST_LENGTH);
}

const MAX_LIST_LENGTH = 100;

const comparison = (field: Field, operator: Operator, operands: readonly ScalarValue[] = []): Comparison => ({
  kind: 'comparison',
  field,
  operator,
  operands,
});

/** Combines filters; empty conditions are omitted, as Strapi v4 removes empty objects. */
export function join(kind: 'and' | 'or', conditions: readonly (Filter | undefined)[]): Filter | undefined {
  const filters = conditions.filter((part) => part !== undefined);
  return filters.length > 1 ? { kind, filters } : filters[0];
}
