import type { Attribute, ComponentAttribute, RelationAttribute } from '../../content-types/model/types.js';
import { id, type Field, type SortKey } from '../../query/ast.js';
import { isObject } from '../../query/parse/input.js';

type Attributes = ReadonlyMap<string, Attribute>;
type Through = readonly (RelationAttribute | ComponentAttribute)[];

/**
 * Parses `orderBy` as Strapi v4's query engine: a name, objects of directions, or a list of both.
 * @throws Error for an unknown attribute, and for one that cannot be sorted by
 */
export function parseOrder(input: unknown, attributes: Attributes, through: Through = []): readonly SortKey[] {
  if (typeof input === 'string') return [{ through, field: fieldOf(input, attributes), direction: 'ascending' }];
  if (Array.isArray(input)) return input.flatMap((one) => parseOrder(one, attributes, through));
  if (!isObject(input)) throw new Error('Invalid orderBy syntax');
  return Object.entries(input).flatMap(([name, value]) => {
    const attribute = attributes.get(name);
    if (attribute?.kind === 'relation') return parseOrder(value, attribute.target.attributes, [...through, attribute]);
    if (attribute?.kind === 'component') {
      return parseOrder(value, attribute.component.attributes, [...through, attribute]);
    }
    return [{ through, field: fieldOf(name, attributes), direction: directionOf(value) }];
  });
}

function fieldOf(name: string, attributes: Attributes): Field {
  if (name === 'id') return id;
  const attribute = attributes.get(name);
  if (attribute?.kind === 'scalar') return attribute;
  throw new Error(attribute === undefined ? `unknown attribute "${name}"` : `You cannot order on ${name}`);
}

/** As in SQL builders, whatever is no `desc` is ascending. */
const directionOf = (value: unknown): SortKey['direction'] =>
  typeof value === 'string' && value.toLowerCase() === 'desc' ? 'descending' : 'ascending';
