import { hasCode } from '../../errors/app-error.js';
import { attributeTypes } from '../../content-types/model/attribute-types.js';
import type { Attributes, ScalarAttribute } from '../../content-types/model/types.js';
import { attributesBehindFor, type Audience } from '../../query/visibility.js';
import { isOperator, operators, type Operator } from '../../query/operators.js';
import { isNested } from '../../query/parse/input.js';

/** An invalid date or time, which the entity service reports to the client. */
export class InvalidMomentError extends Error {}

const isGroup = (key: string): boolean => key === '$and' || key === '$or';

/**
 * Refuses a `where` that Strapi v4's query engine refuses: the parser of filters ignores some of it, as the API does.
 * @throws Error for an unknown attribute or operator, and for an operand that the type of the attribute cannot hold
 */
export function checkWhere(where: unknown, attributes: Attributes, audience: Audience = 'code'): void {
  if (Array.isArray(where)) {
    for (const part of where) checkWhere(part, attributes, audience);
    return;
  }
  if (!isNested(where)) throw new Error('Where must be an array or an object');
  for (const [key, value] of Object.entries(where)) checkEntry(key, value, attributes, audience);
}

function checkEntry(key: string, value: unknown, attributes: Attributes, audience: Audience): void {
  if (isGroup(key)) {
    if (!Array.isArray(value)) throw new Error(`Operator ${key} must be an array`);
    for (const part of value) checkWhere(part, attributes, audience);
    return;
  }
  if (key === '$not') return checkWhere(value, attributes, audience);
  if (isOperator(key)) throw new Error(`${key} must be below an attribute`);
  if (key === 'id') return checkConditions(undefined, value);
  const attribute = attributes.get(key);
  if (attribute === undefined) throw new Error(`unknown attribute "${key}"`);
  if (attribute.kind === 'scalar') return checkConditions(attribute, value);
  const behind = attributesBehindFor(attribute, audience);
  if (behind === undefined) throw new Error(`You cannot filter on ${key}`);
  checkRelation(value, behind, audience);
}

/** A value as a string. @throws Error for an object without a string form: one without a prototype, also in lists */
export function textOf(value: unknown): string {
  try {
    return String(value);
  } catch (error) {
    throw new Error('A value must be a string, a number, a boolean or a date, not an object', { cause: error });
  }
}

/** A relation has conditions on its entries, or one operator, which compares the id. */
function checkRelation(value: unknown, attributes: Attributes, audience: Audience): void {
  if (!isNested(value)) return checkId(value);
  const keys = Object.keys(value);
  const named = keys.filter((key) => isOperator(key) || isGroup(key) || key === '$not');
  if (named.length > 0 && named.length < keys.length) {
    throw new Error('Operators and attributes cannot be mixed in a relation');
  }
  if (named.length > 1) throw new Error(`A relation takes one operator, not ${named.join(', ')}`);
  const [operator] = named;
  if (operator === undefined || isGroup(operator)) checkWhere(value, attributes, audience);
  else if (!isNested(value[operator])) checkId(value[operator]);
}

function checkId(value: unknown): void {
  if (value === undefined) throw new Error('An id is compared with undefined');
  textOf(value);
}

function checkConditions(attribute: ScalarAttribute | undefined, value: unknown): void {
  if (Array.isArray(value)) {
    if (value.some((part) => Array.isArray(part))) textOf(value);
    for (const part of value) checkConditions(attribute, part);
    return;
  }
  if (!isNested(value)) return attribute === undefined ? checkId(value) : checkOperand(attribute, value);
  for (const [key, operand] of Object.entries(value)) {
    if (key === '$not') checkConditions(attribute, operand);
    else if (!isOperator(key)) throw new Error(`Undefined attribute level operator ${key}`);
    else if (isCompared(key)) checkConditions(attribute, operand);
    else if (Array.isArray(operand)) textOf(operand.filter((part) => !isNested(part)));
  }
}

/** Whether the operands are values of the attribute's type. */
const isCompared = (operator: Operator): boolean =>
  operators[operator].text !== true && operators[operator].operands !== 'flag';
const moments = new Set<string>(['day', 'time', 'instant']);

/** @throws Error for a value that is invalid for the type of the attribute */
export function checkOperand(attribute: ScalarAttribute, value: unknown): void {
  if (value === null) return;
  const { type, name } = attribute;
  const { kind, shape } = attributeTypes[type];
  if (moments.has(kind)) return checkMoment(type, value);
  if (kind === 'number' && shape !== 'long' && Number.isNaN(Number(value))) {
    throw new Error(`${name}: ${textOf(value)} is not of type ${type}`);
  }
}

function checkMoment(type: ScalarAttribute['type'], value: unknown): void {
  try {
    attributeTypes[type].operand(value);
  } catch (error) {
    throw hasCode(error, 'invalidValue') ? new InvalidMomentError(error.message) : error;
  }
}
