import { AppError } from '../errors/app-error.js';
import type { Attribute, ScalarAttribute } from '../content-types/types.js';
import { isScalar } from './ast.js';
import { isNothing } from './input.js';
import { isReadable, type Audience } from './visibility.js';

type Attributes = ReadonlyMap<string, Attribute>;

/** All plain attributes that the audience may read, in the order of the definition. */
export function readableFields(attributes: Attributes, audience: Audience): readonly ScalarAttribute[] {
  return [...attributes.values()].filter(isScalar).filter((attribute) => isReadable(attribute, audience));
}

/**
 * Parses `fields` as Strapi v4 does: one name, a list of names, or `*`; nothing and `''` mean all. A comma does not
 * separate names here. `id` is always read and needs no mention.
 * @throws AppError invalidParameter, naming the first field that the audience may not read
 */
export function parseFields(input: unknown, attributes: Attributes, audience: Audience): readonly ScalarAttribute[] {
  if (isNothing(input)) return readableFields(attributes, audience);
  const names = Array.isArray(input) ? (input as readonly unknown[]) : [input];
  if (names.includes('*')) return readableFields(attributes, audience);
  const found = new Set<ScalarAttribute>();
  for (const name of names) {
    if (name === 'id' || isNothing(name)) continue;
    if (typeof name !== 'string') throw new AppError('invalidParameter', 'fields');
    const attribute = attributes.get(name);
    if (attribute === undefined || !isScalar(attribute) || !isReadable(attribute, audience)) {
      throw new AppError('invalidParameter', name);
    }
    found.add(attribute);
  }
  return [...found];
}
