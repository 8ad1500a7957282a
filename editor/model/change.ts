import { isScalar, type Model } from './schema.js';
import type { Value, Values } from './values.js';

/**
 * Values with another one. A `uid` that the service does not generate follows the text that it is made from, until the user types another.
 * @param generate makes a `uid` from what it follows; undefined: the values are stored, and no uid changes by itself
 */
export function withValue(
  { attributes }: Model,
  values: Values,
  name: string,
  value: Value,
  generate: ((text: string) => string) | undefined,
): Values {
  const changed = { ...values, [name]: value };
  if (generate === undefined || typeof value !== 'string') return changed;
  const before = values[name];
  const generated = typeof before === 'string' ? generate(before) : '';
  const followers = attributes.filter(
    (attribute) =>
      isScalar(attribute) &&
      attribute.type === 'uid' &&
      attribute.create &&
      attribute.generated !== true &&
      attribute.targetField === name &&
      ['', generated].includes(String(values[attribute.name])),
  );
  return { ...changed, ...Object.fromEntries(followers.map((uid) => [uid.name, generate(value)])) };
}
