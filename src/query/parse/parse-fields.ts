import { AppError } from '../../errors/app-error.js';
import type { Attributes, ScalarAttribute } from '../../content-types/model/types.js';
import type { Model } from '../../content-types/model/walk.js';
import { isScalar, type Selection } from '../ast.js';
import { isReadable, type Audience } from '../visibility.js';

/** All plain attributes that the audience may read, in the order of the definition. */
export function readableFields(attributes: Attributes, audience: Audience): readonly ScalarAttribute[] {
  return [...attributes.values()].filter(isScalar).filter((attribute) => isReadable(attribute, audience));
}

/**
 * Parses `fields` as Strapi v4 does: one name, a list of names, or `*` for all; without a value it means all. A comma
 * does not separate names here, blanks around a name do not count. `id` is always read and needs no mention. Every name
 * is checked, also beside `*`.
 * @throws AppError invalidParameter, naming the first field that the audience may not read
 */
export function selectFields(
  input: unknown,
  attributes: Attributes,
  audience: Audience,
): Pick<Selection, 'fields' | 'named'> {
  if (input === undefined || input === null) return { fields: readableFields(attributes, audience) };
  const names = Array.isArray(input) ? (input as readonly unknown[]) : [input];
  const named = [...new Set(names.flatMap((name) => parseField(name, attributes, audience) ?? []))];
  return { fields: names.includes('*') ? readableFields(attributes, audience) : named, named };
}

/**
 * Parses `fields` of entries of several types, of which at least one must have each field.
 * @returns the fields of all types by name, and those of each type: all that can be read, and the selected ones
 * @throws AppError invalidParameter
 */
export function selectFieldsOfAny<M extends Pick<Model, 'attributes'>>(
  input: unknown,
  models: readonly M[],
  audience: Audience,
) {
  const readable = models.map((model) => ({ model, readable: readableFields(model.attributes, audience) }));
  const all = new Map(readable.flatMap((own) => own.readable.map((field) => [field.name, field] as const)));
  const names = new Set(selectFields(input, all, audience).fields.map(({ name }) => name));
  const byModel = readable.map((own) => ({ ...own, selected: own.readable.filter(({ name }) => names.has(name)) }));
  return { all, byModel };
}

/** Undefined for valid values that are not attributes: `*`, the id, and a name without a value. */
function parseField(input: unknown, attributes: Attributes, audience: Audience): ScalarAttribute | undefined {
  if (input === undefined || input === null || input === '*') return undefined;
  if (typeof input !== 'string') throw new AppError('invalidParameter', 'fields');
  const name = input.trim();
  if (name === 'id') return undefined;
  const attribute = attributes.get(name);
  if (attribute === undefined || !isScalar(attribute) || !isReadable(attribute, audience)) {
    throw new AppError('invalidParameter', name);
  }
  return attribute;
}
