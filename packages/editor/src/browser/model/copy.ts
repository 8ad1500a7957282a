import { componentOf, isParts, isScalar, type Content, type Model } from './schema.js';
import { isLinks, type Part, type Value, type Values } from './values.js';

/** The values of a copy: its components are new, and what must be unique is empty. */
export function copyOf({ attributes }: Model, values: Values): Values {
  const isUnique = (name: string): boolean =>
    attributes.some(
      (attribute) => attribute.name === name && isScalar(attribute) && (attribute.unique || attribute.type === 'uid'),
    );
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isUnique(name) ? '' : copyValue(value)]),
  );
}

/** Values whose components are new. */
export const withoutIds = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, copyValue(value)]));

function copyValue(value: Value): Value {
  if (isLinks(value) || !Array.isArray(value)) return value;
  return (value as readonly Part[]).map(({ key, component, values }) => ({
    key,
    component,
    values: Object.fromEntries(Object.entries(values).map(([name, inner]) => [name, copyValue(inner)])),
  }));
}

/**
 * A component like another one, as a new one: without what only the service knows, and without what must be unique.
 * @param key identifies it in its form
 */
export function copyOfPart(content: Content, part: Part, key: string): Part {
  const model = componentOf(content, part.component);
  const values = model.attributes.flatMap((attribute): [string, Value][] => {
    const { name } = attribute;
    const value = copyOf(model, part.values)[name];
    if (value === undefined || !attribute.read) return [];
    // It is connected to all of them, and none of them is stored.
    if (isLinks(value)) return [[name, { ...value, stored: [] }]];
    if (!isParts(attribute)) return [[name, value]];
    const parts = (value ?? []) as readonly Part[];
    return [[name, parts.map((inner, index) => copyOfPart(content, inner, `${key}.${name}.${index}`))]];
  });
  return { key, component: part.component, values: Object.fromEntries(values) };
}
