import { attributesBehind } from '../../content-types/model/attributes-behind.js';
import type { Attribute } from '../../content-types/model/types.js';
import { entriesOf, isObject } from '../../query/parse/input.js';

type Attributes = ReadonlyMap<string, Attribute>;

/**
 * GraphQL filters as the query language has them: `and` becomes `$and`, `eq` becomes `$eq`. An attribute with the name
 * of an operator is the attribute. Filters that are null say nothing.
 */
export function filterInput(value: unknown, attributes: Attributes): unknown {
  if (Array.isArray(value)) return value.map((item) => filterInput(item, attributes));
  if (!isObject(value)) return undefined;
  return Object.fromEntries(
    entriesOf(value).map(([name, inner]) => {
      const attribute = attributes.get(name);
      if (name === 'id' || attribute?.kind === 'scalar') return [name, conditions(inner)];
      if (attribute === undefined) return [`$${name}`, filterInput(inner, attributes)];
      return [name, filterInput(inner, attributesBehind(attribute) ?? new Map()) ?? {}];
    }),
  );
}

/** The relations that filters lead through, also those that have no condition. */
export function* relationsIn(value: unknown, attributes: Attributes): Generator<Attribute> {
  if (Array.isArray(value)) for (const item of value) yield* relationsIn(item, attributes);
  if (!isObject(value)) return;
  for (const [name, inner] of entriesOf(value)) {
    const attribute = attributes.get(name);
    if (name === 'id' || attribute?.kind === 'scalar') continue;
    if (attribute !== undefined) yield attribute;
    yield* relationsIn(inner, attribute === undefined ? attributes : (attributesBehind(attribute) ?? new Map()));
  }
}

/** The conditions on one attribute: `{ gt: 1, lt: 5 }`. */
function conditions(value: unknown): unknown {
  if (value === null) return { $null: true };
  if (Array.isArray(value)) return value.map(conditions);
  if (!isObject(value)) return value;
  const operators = entriesOf(value).map(([operator, operand]) => condition(operator, operand));
  return operators.length === 1 ? operators[0] : { $and: operators };
}

const groups = new Set(['and', 'or', 'not']);
/** What a comparison with null means, where the query language has an operator of its own. */
const ofNull: Readonly<Record<string, string>> = { eq: '$null', eqi: '$null', ne: '$notNull', nei: '$notNull' };

function condition(operator: string, operand: unknown): Readonly<Record<string, unknown>> {
  if (groups.has(operator)) return { [`$${operator}`]: conditions(operand) };
  const nullOperator = operand === null ? ofNull[operator] : undefined;
  return nullOperator === undefined ? { [`$${operator}`]: operand } : { [nullOperator]: true };
}
