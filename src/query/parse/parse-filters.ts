import { AppError } from '../../errors/app-error.js';
import type { Attribute } from '../../content-types/model/types.js';
import { id, type Filter } from '../ast.js';
import { entriesOf, isNothing, isObject } from './input.js';
import { isOperator } from '../operators.js';
import { join, parseCondition, parseConditions, parseGroup, parseGroupOfConditions } from './parse-conditions.js';
import { isReadable, type Audience } from '../visibility.js';

type Attributes = ReadonlyMap<string, Attribute>;

/**
 * Parses `filters` as Strapi v4 does: attributes and `$and`, `$or`, `$not`, joined by and; relations and components
 * nest. Unknown operators on an attribute are ignored, as recorded; unknown attributes are refused.
 * @throws AppError invalidParameter, naming the first key that the audience may not filter by; invalidValue
 */
export function parseFilters(input: unknown, attributes: Attributes, audience: Audience): Filter | undefined {
  if (isNothing(input)) return undefined;
  if (isTooDeep(input)) throw new AppError('invalidParameter', 'filters');
  return parseFilter(input, attributes, audience);
}

/** Strapi v4's query parser reads 20 levels of brackets; deeper ones become an unknown parameter. */
const MAX_DEPTH = 20;

const isTooDeep = (input: unknown, level = 0): boolean =>
  typeof input === 'object' &&
  input !== null &&
  (level === MAX_DEPTH || Object.values(input).some((part) => isTooDeep(part, level + 1)));

/** Undefined, which is possible only in code and GraphQL, means no filter; any other value must be a filter. */
function parseFilter(input: unknown, attributes: Attributes, audience: Audience): Filter | undefined {
  if (input === undefined) return undefined;
  const nested = (part: unknown): Filter | undefined => parseFilter(part, attributes, audience);
  if (Array.isArray(input)) return join('and', input.map(nested));
  if (!isObject(input)) throw new AppError('invalidParameter', 'filters');
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
  const isName = (name: string): boolean => attributes.has(name);
  if (!isObject(value)) return parseConditions(id, value, isName);
  const nested = (part: unknown): Filter | undefined => parseInner(part, attributes, audience);
  const conditions = entriesOf(value).map(([key, part]) => {
    const group = parseGroupOfConditions(key, part, nested);
    if (group !== 'none') return group;
    return isOperator(key) ? parseCondition(id, key, part, isName) : parseEntry(key, part, attributes, audience);
  });
  return join('and', conditions);
}
