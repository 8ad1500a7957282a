import type { Named } from '../strapi.js';

/** The additional values of a result, per level. */
export interface Presented {
  /** Whether the id was selected. */
  readonly id: boolean;
  /** Whether components are replaced by their number. */
  readonly counted?: boolean;
  readonly nested: ReadonlyMap<string, Presented>;
  /** In zones and morph relations: by uid of the value. */
  readonly kinds?: ReadonlyMap<string, Presented>;
}

/** An entry, or a list of them, with the ids that were selected. */
export function present(value: unknown, presented: Presented): unknown {
  if (presented.counted === true) return { count: [value ?? []].flat().length };
  if (Array.isArray(value)) return value.map((entry) => present(entry, presented));
  if (typeof value !== 'object' || value === null) return value;
  const { id, ...attributes } = value as Named;
  const { __component, __type } = attributes;
  const { nested } = presented.kinds?.get(String(__component ?? __type)) ?? presented;
  for (const [name, level] of nested) {
    if (Object.hasOwn(attributes, name)) attributes[name] = present(attributes[name], level);
  }
  return presented.id && id !== undefined ? { id: id as unknown, ...attributes } : attributes;
}
