import { isScalar, type Model } from './schema.js';
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

function copyValue(value: Value): Value {
  if (isLinks(value) || !Array.isArray(value)) return value;
  return (value as readonly Part[]).map(({ key, component, values }) => ({
    key,
    component,
    values: Object.fromEntries(Object.entries(values).map(([name, inner]) => [name, copyValue(inner)])),
  }));
}
