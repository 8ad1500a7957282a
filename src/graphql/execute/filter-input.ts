import { isAbsent } from '../../config/record.js';
import type { Attribute, Attributes, Component, ZoneAttribute } from '../../content-types/model/types.js';
import { modelsBehind } from '../../content-types/model/walk.js';
import { AppError } from '../../errors/app-error.js';
import { componentNames } from '../../plugins/contract/graphql/names.js';
import { isOperator } from '../../query/operators.js';
import { entriesOf, isNested, type QueryInput } from '../../query/parse/input.js';
import { isGroup } from '../../query/parse/parse-filters.js';
import { attributesFor, type Audience } from '../../query/visibility.js';

/**
 * Converts filters of GraphQL to the query language: `and` becomes `$and`, `eq` becomes `$eq`. The schema checks those
 * of a client, but code of the project sets others, also in the query language itself. An attribute with the name of an
 * operator takes precedence; a part that is null has no effect.
 * @throws AppError invalidParameter, naming what is neither an attribute nor an operator with its operands: without it
 * the list would be longer
 */
export function filterInput(value: unknown, attributes: Attributes, audience: Audience = 'client'): unknown {
  if (isAbsent(value)) return undefined;
  if (Array.isArray(value)) return itemsOf(value, 'filters').map((item) => filterInput(item, attributes, audience));
  if (!isNested(value)) throw new AppError('invalidParameter', 'filters');
  return Object.fromEntries(
    partsOf(value).map(([name, inner]) => {
      if (isAttribute(name, attributes)) return [name, onAttribute(name, inner, attributes, audience)];
      const group = keywordOf(name);
      if (!isGroup(group)) throw new AppError('invalidParameter', name);
      return [group, filterInput(inner, attributes, audience)];
    }),
  );
}

const isAttribute = (name: string, attributes: Attributes): boolean => name === 'id' || attributes.has(name);

/** The name of a group or an operator in the query language. */
export const keywordOf = (name: string): string => (name.startsWith('$') ? name : `$${name}`);

function onAttribute(name: string, value: unknown, attributes: Attributes, audience: Audience): unknown {
  const attribute = attributes.get(name);
  if (attribute === undefined || attribute.kind === 'scalar') return conditionsOn(value, name);
  if (attribute.kind === 'zone') return { $on: onZone(value, attribute) };
  return onRelated(value, name, attributesBehind(attribute, audience), audience);
}

/** What the entries or components behind an attribute have; none in a zone, where that depends on the component. */
const attributesBehind = (attribute: Attribute, audience: Audience): Attributes => {
  const [model] = attribute.kind === 'zone' ? [] : modelsBehind(attribute);
  return model === undefined ? new Map() : attributesFor(model, audience);
};

/** The conditions on one attribute: a value, a list of them, or operators, e.g. `{ gt: 1, lt: 5 }`. */
export function conditionsOn(value: unknown, path: string): unknown {
  if (Array.isArray(value)) return itemsOf(value, path).map((item) => conditionsOn(item, path));
  if (!isNested(value)) return value;
  return Object.fromEntries(partsOf(value).map(([name, operand]) => onOperator(name, operand, conditionsOn)));
}

/** An operator with its operands, or a group of conditions. */
function onOperator(
  name: string,
  operand: unknown,
  within: (value: unknown, path: string) => unknown,
): readonly [string, unknown] {
  const keyword = keywordOf(name);
  if (isGroup(keyword)) return [keyword, within(operand, name)];
  const operands = Array.isArray(operand) ? itemsOf(operand, name) : [operand];
  if (!isOperator(keyword) || operands.some(isNested)) throw new AppError('invalidParameter', name);
  return [keyword, operand];
}

/** Behind a relation or component: filters of its entries, or conditions on its id (`{ null: true }`, `1`). */
function onRelated(value: unknown, path: string, attributes: Attributes, audience: Audience): unknown {
  if (value === null) return {};
  if (Array.isArray(value)) return itemsOf(value, path).map((item) => onRelated(item, path, attributes, audience));
  if (!isNested(value)) return value;
  return Object.fromEntries(
    partsOf(value).map(([name, inner]) =>
      isAttribute(name, attributes)
        ? [name, onAttribute(name, inner, attributes, audience)]
        : onOperator(name, inner, (part) => onRelated(part, name, attributes, audience)),
    ),
  );
}

/** Filters by the uids of components, which are named by their types in GraphQL. */
function onZone(value: unknown, { name, components }: ZoneAttribute): QueryInput {
  if (value === null) return {};
  if (!isNested(value)) throw new AppError('invalidParameter', name);
  const { $on: on, ...named } = value;
  const byName = new Map([...components.values()].map((component) => [componentNames(component).type, component]));
  const filters = [...onComponents(named, byName, name), ...onComponents(on ?? {}, components, '$on')];
  return Object.fromEntries(filters);
}

function onComponents(
  value: unknown,
  components: ReadonlyMap<string, Component>,
  path: string,
): readonly (readonly [string, unknown])[] {
  if (!isNested(value)) throw new AppError('invalidParameter', path);
  return partsOf(value).map(([name, inner]) => {
    const component = components.get(name);
    if (component === undefined) throw new AppError('invalidParameter', name);
    return [component.uid, filterInput(inner, component.attributes) ?? {}];
  });
}

/** The parts of a filter. Where code sets one to undefined, it lacks the value that it limits the list by. */
function partsOf(filter: QueryInput): readonly (readonly [string, unknown])[] {
  const parts = entriesOf(filter);
  const missing = parts.find(([, part]) => part === undefined);
  if (missing !== undefined) throw new AppError('invalidParameter', missing[0]);
  return parts;
}

/** The items of a list in a filter, like `partsOf`. */
function itemsOf(list: readonly unknown[], path: string): readonly unknown[] {
  if (list.includes(undefined)) throw new AppError('invalidParameter', path);
  return list;
}

/** The relations in converted filters, including those without a condition. */
export function* relationsIn(
  value: unknown,
  attributes: Attributes,
  audience: Audience = 'client',
): Generator<Attribute> {
  if (Array.isArray(value)) for (const item of value) yield* relationsIn(item, attributes, audience);
  if (!isNested(value)) return;
  for (const [name, inner] of entriesOf(value)) {
    const attribute = attributes.get(name);
    if (name === 'id' || attribute?.kind === 'scalar') continue;
    if (attribute?.kind === 'zone') {
      for (const { uid, attributes: within } of attribute.components.values())
        yield* relationsIn((inner as { readonly $on: QueryInput }).$on[uid], within, audience);
      continue;
    }
    if (attribute !== undefined) yield attribute;
    yield* relationsIn(inner, attribute === undefined ? attributes : attributesBehind(attribute, audience), audience);
  }
}
