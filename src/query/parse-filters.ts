import { AppError } from '../errors/app-error.js';
import { attributeTypes, booleanOperand, type ScalarValue } from '../content-types/attribute-types.js';
import type { Attribute } from '../content-types/types.js';
import { id, type Comparison, type Field, type Filter } from './ast.js';
import { entriesOf, isNothing, isObject } from './input.js';
import { isUnreachable } from './morphs.js';
import { isOperator, operators, type Operator } from './operators.js';
import { isReadable, type Audience } from './visibility.js';

type Attributes = ReadonlyMap<string, Attribute>;

/**
 * Parses `filters` as Strapi v4 does: attributes and `$and`, `$or`, `$not`, joined by and; relations and components
 * nest. Unknown operators on an attribute are ignored, as recorded; unknown attributes are refused.
 * @throws AppError invalidParameter, naming the first key that the audience may not filter by; invalidValue
 */
export function parseFilters(input: unknown, attributes: Attributes, audience: Audience): Filter | undefined {
  if (isTooDeep(input)) throw new AppError('invalidParameter', 'filters');
  return parseFilter(input, attributes, audience);
}

/** Strapi v4's query parser reads 20 levels of brackets; what is below becomes an unknown parameter. */
const DEEPEST = 20;

const isTooDeep = (input: unknown, level = 0): boolean =>
  typeof input === 'object' &&
  input !== null &&
  (level === DEEPEST || Object.values(input).some((part) => isTooDeep(part, level + 1)));

function parseFilter(input: unknown, attributes: Attributes, audience: Audience): Filter | undefined {
  if (isNothing(input)) return undefined;
  if (Array.isArray(input))
    return join(
      'and',
      input.map((part) => parseFilter(part, attributes, audience)),
    );
  if (!isObject(input)) throw new AppError('invalidParameter', 'filters');
  return join(
    'and',
    entriesOf(input).map(([key, value]) => parseEntry(key, value, attributes, audience)),
  );
}

function parseEntry(key: string, value: unknown, attributes: Attributes, audience: Audience): Filter | undefined {
  const nested = (input: unknown): Filter | undefined => parseFilter(input, attributes, audience);
  const group = parseGroup(key, value, nested);
  if (group !== 'none') return group;
  if (key === 'id') return parseConditions(id, value);
  const attribute = attributes.get(key);
  if (attribute === undefined || !isReadable(attribute, audience)) throw new AppError('invalidParameter', key);
  switch (attribute.kind) {
    case 'scalar':
      return parseConditions(attribute, value);
    case 'relation':
    case 'morphed': {
      if (isUnreachable(attribute)) return { kind: 'never' };
      const filter = parseInner(value, attribute.target.attributes, audience);
      return filter && { kind: 'related', attribute, filter };
    }
    case 'component': {
      const filter = parseInner(value, attribute.component.attributes, audience);
      return filter && { kind: 'component', attribute, filter };
    }
    case 'zone':
    case 'morph':
      throw new AppError('invalidParameter', key);
    default:
      return attribute satisfies never;
  }
}

/** Behind a relation or component: conditions on its attributes, or directly on its id (`author=1`, `author[$null]`). */
function parseInner(value: unknown, attributes: Attributes, audience: Audience): Filter | undefined {
  if (!isObject(value)) return parseConditions(id, value);
  const parts = entriesOf(value).map(([key, part]) =>
    isOperator(key) ? parseCondition(id, key, part) : parseEntry(key, part, attributes, audience),
  );
  return join('and', parts);
}

/** `$and`, `$or` and `$not`, of whole filters or of the conditions of one attribute. */
function parseGroup(
  key: string,
  value: unknown,
  parse: (input: unknown) => Filter | undefined,
): Filter | undefined | 'none' {
  if (key === '$and' || key === '$or') {
    const parts = Array.isArray(value) ? (value as readonly unknown[]) : [value];
    return join(key === '$and' ? 'and' : 'or', parts.map(parse));
  }
  if (key !== '$not') return 'none';
  const filter = parse(value);
  return filter && { kind: 'not', filter };
}

/** The conditions on one attribute: a value (equal), a list (any of them), or operators. */
function parseConditions(field: Field, value: unknown): Filter | undefined {
  if (!isObject(value)) return parseCondition(field, '$eq', value);
  ignore(value);
  const parts = entriesOf(value).map(([key, part]) => {
    const group = parseGroup(key, part, (input) => parseConditions(field, input));
    if (group !== 'none') return group;
    return isOperator(key) ? parseCondition(field, key, part) : undefined;
  });
  return join('and', parts);
}

function parseCondition(field: Field, operator: Operator, value: unknown): Filter | undefined {
  if (isObject(value)) return ignore(value);
  const values = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  const rule = operators[operator];
  switch (rule.operands) {
    case 'flag':
      return booleanOperand(value) === (operator === '$null')
        ? comparison(field, '$null', [])
        : comparison(field, '$notNull', []);
    case 'each':
      return join(
        'or',
        values.map((one) => parseEach(field, operator, one)),
      );
    case 'many': {
      const operands = values.filter((one) => !isObject(one)).flatMap((one) => castOperand(field, false, one) ?? []);
      return operands.length === 0 && !rule.negative ? { kind: 'never' } : comparison(field, operator, operands);
    }
    case 'pair': {
      const pair = values.map((one) => castOperand(field, false, one));
      const [low, high] = pair;
      if (pair.length !== 2) throw new AppError('invalidParameter', operator);
      return low === undefined || high === undefined ? { kind: 'never' } : comparison(field, operator, [low, high]);
    }
    default:
      return rule satisfies never;
  }
}

/**
 * A list of more than 100 values arrives as an object: Strapi v4 ignores that filter, we refuse it. Other objects are
 * ignored, as recorded.
 */
function ignore(value: object): undefined {
  const { length } = Object.keys(value);
  if (length > LONGEST_LIST) throw new AppError('tooCostly', 'values in a list', LONGEST_LIST);
}

const LONGEST_LIST = 100;

function parseEach(field: Field, operator: Operator, value: unknown): Filter | undefined {
  if (typeof value === 'object' && value !== null) return undefined;
  const operand = castOperand(field, operators[operator].text, value);
  return operand === undefined ? { kind: 'never' } : comparison(field, operator, [operand]);
}

function castOperand(field: Field, text: boolean, value: unknown): ScalarValue | undefined {
  if (value === null || value === undefined || typeof value === 'object') return undefined;
  if (text) return String(value);
  return attributeTypes[field.kind === 'id' ? 'integer' : field.type].operand(value);
}

const comparison = (field: Field, operator: Operator, operands: readonly ScalarValue[]): Comparison => ({
  kind: 'comparison',
  field,
  operator,
  operands,
});

/** One filter out of several; conditions that say nothing are left out, as Strapi v4 removes empty objects. */
function join(kind: 'and' | 'or', parts: readonly (Filter | undefined)[]): Filter | undefined {
  const filters = parts.filter((part) => part !== undefined);
  return filters.length > 1 ? { kind, filters } : filters[0];
}
