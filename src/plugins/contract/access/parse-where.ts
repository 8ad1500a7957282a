import { attributeTypes, idOperand, type ValueKind } from '../../../content-types/model/attribute-types.js';
import type { Report } from '../../../content-types/load/report.js';
import { unknownName } from '../../../errors/nearest-name.js';
import { isRecord } from '../../../config/record.js';
import type { Attribute, Attributes } from '../../../content-types/model/types.js';
import { AppError } from '../../../errors/app-error.js';
import { id, type Field, type Filter } from '../../../query/ast.js';
import { isOperator, operators, type Operator } from '../../../query/operators.js';
import { parseFilters } from '../../../query/parse/parse-filters.js';
import { allOf, oneOf, type Condition } from './access.js';
import { kindOf, parseVariable, type Variable } from './variables.js';

/** Where a rule is parsed. */
export interface WhereContext {
  /** The attributes of users; undefined if the caller is not a user. */
  readonly user: Attributes | undefined;
  readonly report: Report;
  /** Receives the paths of a user that must be populated. */
  readonly paths: Set<string>;
  /** The levels above; default: 0. */
  readonly depth?: number;
}

const never: Filter = { kind: 'never' };
const nothing: Condition = () => never;

/** Levels of a rule, as of filters. */
const MAX_DEPTH = 20;

/**
 * Parses the `where` of a rule: the language of `filters`, but stricter, as a condition that is ignored would allow too
 * much. Everything that filters ignore is reported: unknown names, empty groups and lists, null, and values that cannot
 * match.
 */
export function parseWhere(input: unknown, attributes: Attributes, path: string, context: WhereContext): Condition {
  const { report, depth = 0 } = context;
  if (!isRecord(input) || Object.keys(input).length === 0) {
    report(path, 'must be an object with at least one condition');
    return nothing;
  }
  if (depth === MAX_DEPTH) {
    report(path, `has more than ${MAX_DEPTH} levels`);
    return nothing;
  }
  const below = { ...context, depth: depth + 1 };
  const conditions = Object.entries(input).map(([key, value]): Condition => {
    const at = `${path}.${key}`;
    if (key === '$and') return allOf(parseList(value, attributes, at, below));
    if (key === '$or') return oneOf(parseList(value, attributes, at, below));
    if (key === '$not') return negated(parseWhere(value, attributes, at, below));
    if (key === 'id') return parseField(id, value, at, context);
    const attribute = attributes.get(key);
    if (attribute !== undefined) return parseAttribute(attribute, value, at, below);
    report(at, `names an ${unknownName(key, 'attribute', ['id', ...attributes.keys()])}`);
    return nothing;
  });
  return allOf(conditions);
}

const negated =
  (condition: Condition): Condition =>
  (values) => ({ kind: 'not', filter: condition(values) });

/** The conditions of a group; none if there is a mistake, which matches nothing. */
function parseList(value: unknown, attributes: Attributes, path: string, context: WhereContext): readonly Condition[] {
  if (Array.isArray(value) && value.length > 0)
    return value.map((part: unknown, index) => parseWhere(part, attributes, `${path}[${index}]`, context));
  context.report(path, 'must be a list with at least one condition');
  return [];
}

function parseAttribute(attribute: Attribute, value: unknown, path: string, context: WhereContext): Condition {
  switch (attribute.kind) {
    case 'scalar':
      return parseField(attribute, value, path, context);
    case 'relation':
    case 'morphed': {
      const { attributes } = attribute.target;
      const condition = isRecord(value)
        ? parseWhere(value, attributes, path, context)
        : parseField(id, value, path, context);
      return (values) => ({ kind: 'related', attribute, filter: condition(values) });
    }
    case 'component': {
      const condition = parseWhere(value, attribute.component.attributes, path, context);
      return (values) => ({ kind: 'component', attribute, filter: condition(values) });
    }
    case 'zone':
    case 'morph':
      context.report(
        path,
        'cannot be used in a rule: dynamic zones and relations to any type have no attributes of their own',
      );
      return nothing;
    default:
      return attribute satisfies never;
  }
}

/** Conditions on one value: the value itself, or operators. */
function parseField(field: Field, value: unknown, path: string, context: WhereContext): Condition {
  const { report } = context;
  const kind = field.kind === 'id' ? 'number' : kindOf(field.type);
  if (kind === undefined) {
    report(path, `cannot be used in a rule: it is of the type ${field.kind === 'id' ? 'id' : field.type}`);
    return nothing;
  }
  if (!isRecord(value)) return parseComparison({ field, kind, operator: '$eq' }, value, path, context);
  if (Object.keys(value).length === 0) report(path, 'must have at least one operator');
  const conditions = Object.entries(value).map(([operator, operand]): Condition => {
    const at = `${path}.${operator}`;
    if (operator === '$not') return negated(parseField(field, operand, at, context));
    if (isOperator(operator)) return parseComparison({ field, kind, operator }, operand, at, context);
    report(at, `names an ${unknownName(operator, 'operator', ['$not', ...Object.keys(operators)])}`);
    return nothing;
  });
  return allOf(conditions);
}

/** The attribute and the operator of a comparison. */
export interface Comparing {
  readonly field: Field;
  readonly kind: ValueKind;
  readonly operator: Operator;
}

/** A value in a rule, or a variable. */
export type Operand = { readonly constant: unknown } | Variable;

function parseComparison(comparing: Comparing, input: unknown, path: string, context: WhereContext): Condition {
  const { report } = context;
  const { operands: form } = operators[comparing.operator];
  switch (form) {
    case 'flag':
      if (typeof input !== 'boolean') report(path, 'must be true or false');
      return compare(comparing, [{ constant: input }]);
    case 'each':
      return compare(comparing, [parseOperand(comparing, input, path, context)]);
    case 'many':
      if (typeof input === 'string' && input.startsWith('$'))
        return compare(comparing, [parseOperand(comparing, input, path, context, { many: true })]);
      if (!Array.isArray(input) || input.length === 0)
        report(path, 'must be a list of at least one value, or a variable');
      break;
    case 'pair':
      if (Array.isArray(input) && input.length === 2) break;
      report(path, 'must be a list of two values');
      return nothing;
    default:
      return form satisfies never;
  }
  const values: readonly unknown[] = Array.isArray(input) ? input : [];
  return compare(
    comparing,
    values.map((value, index) => parseOperand(comparing, value, `${path}[${index}]`, context)),
  );
}

/** Parses one value of a rule, and reports what cannot be compared. */
export function parseOperand(
  comparing: Comparing,
  input: unknown,
  path: string,
  context: WhereContext,
  { many = false } = {},
): Operand {
  const { report } = context;
  if (typeof input !== 'string' || !input.startsWith('$') || input.startsWith('$$')) {
    const constant = typeof input === 'string' && input.startsWith('$$') ? input.slice(1) : input;
    const mistake = findMistake(comparing, constant);
    if (mistake === undefined) return { constant };
    report(path, mistake);
    return { constant: undefined };
  }
  const variable = parseVariable(input, context.user);
  if (typeof variable === 'string') {
    report(path, variable);
    return { constant: undefined };
  }
  if (variable.path !== undefined) context.paths.add(variable.path);
  if (variable.many && !many)
    report(path, `"${input}" has several values, and only $in, $notIn and relations to many take several`);
  const { kind, operator } = comparing;
  // A point in time can be compared with a day: its day counts.
  const isComparable = variable.kind === kind || (variable.kind === 'instant' && kind === 'day');
  if (!isComparable && !operators[operator].text) {
    report(path, `"${input}" is a ${variable.kind}, which cannot be compared with a ${kind}`);
  }
  return variable;
}

/** The problem with a constant: a rule that can never match is a mistake. */
function findMistake({ field, kind, operator }: Comparing, value: unknown): string | undefined {
  if (value === null) return 'must not be null; use { "$null": true }';
  const text = JSON.stringify(value) ?? 'nothing';
  if (operators[operator].text) return typeof value === 'string' ? undefined : `${text} must be a string`;
  const type = kind === 'number' || kind === 'boolean' ? kind : 'string';
  const isBig = field.kind === 'scalar' && attributeTypes[field.type].shape === 'long' && typeof value === 'string';
  if (typeof value !== type && !isBig) return `${text} must be a ${type}`;
  if (field.kind === 'scalar' && field.enum !== undefined && !field.enum.includes(String(value))) {
    return `${text} must be one of ${field.enum.join(', ')}`;
  }
  return canMatch(field, value) ? undefined : `${text} cannot be a value of this attribute`;
}

function canMatch(field: Field, value: unknown): boolean {
  try {
    return (field.kind === 'id' ? idOperand(value) : attributeTypes[field.type].operand(value)) !== undefined;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** The values of a relation of a user that a rule can use. */
export const MAX_VALUES = 1000;

function compare({ field, operator }: Comparing, operands: readonly Operand[]): Condition {
  const { operands: form } = operators[operator];
  const takesOne = form === 'flag' || form === 'each';
  const parse = (values: readonly unknown[]): Filter => {
    const conditions = { [field.name]: { [operator]: takesOne ? values[0] : values } };
    const fields = new Map(field.kind === 'id' ? [] : [[field.name, field] as const]);
    return parseFilters(conditions, fields, 'internal') ?? never;
  };
  const constants = operands.flatMap((operand) => ('constant' in operand ? [operand.constant] : []));
  if (constants.length === operands.length) {
    const filter = constants.includes(undefined) || constants.length === 0 ? never : parse(constants);
    return () => filter;
  }
  return (request) => {
    const values = operands.map((operand) => ('constant' in operand ? [operand.constant] : operand.read(request)));
    const hasAll = values.every((list) => list.length > 0 && list.length <= MAX_VALUES);
    return hasAll ? parse(values.flat()) : never;
  };
}
