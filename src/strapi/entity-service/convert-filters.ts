import type { Attribute } from '../../content-types/model/types.js';
import { isOperator } from '../../query/operators.js';
import { isObject } from '../../query/parse/input.js';
import type { Named } from '../strapi.js';

type Attributes = ReadonlyMap<string, Attribute>;

const isPlain = (value: unknown): value is Named => isObject(value) && !(value instanceof Date);
const isKeyword = (key: string): boolean => isOperator(key) || ['$and', '$or', '$not'].includes(key);
const isEmpty = (value: unknown): boolean => isPlain(value) && Object.keys(value).length === 0;

/** The filters of the API as the `where` of a query: what is unknown, and passwords, are left out silently, as Strapi v4 does. */
export function convertFilters(filters: unknown, attributes: Attributes): unknown {
  if (Array.isArray(filters)) {
    return filters.map((one) => convertFilters(one, attributes)).filter((one) => !isEmpty(one));
  }
  if (!isPlain(filters)) return filters;
  const kept = Object.entries(filters).flatMap(([key, value]) => {
    if (!isKeyword(key) && key !== 'id' && !attributes.has(key)) return [];
    const converted = convertEntry(value, attributes.get(key), attributes, key);
    return converted === undefined || isEmpty(converted) ? [] : [[key, converted] as const];
  });
  return Object.fromEntries(kept);
}

function convertEntry(value: unknown, attribute: Attribute | undefined, attributes: Attributes, key: string): unknown {
  if (key === '$null' || key === '$notNull') return value === true || ['true', 't', '1', 1].includes(value as string);
  switch (attribute?.kind) {
    case 'relation':
    case 'morphed':
      return convertFilters(value, attribute.target.attributes);
    case 'component':
      return convertFilters(value, attribute.component.attributes);
    case 'zone':
    case 'morph':
      return undefined;
    case 'scalar':
      return attribute.type === 'password' ? undefined : convertFilters(value, attributes);
    case undefined:
      return convertFilters(value, attributes);
    default:
      return attribute satisfies never;
  }
}
