import type { Named } from '../strapi.js';

/** What a result shows beside its attributes, level by level. */
export interface Presented {
  /** The id was selected. */
  readonly id: boolean;
  /** Their number in place of components. */
  readonly counted?: boolean;
  readonly nested: ReadonlyMap<string, Presented>;
  /** In zones and relations to any type: by the uid of what stands there. */
  readonly kinds?: ReadonlyMap<string, Presented>;
}

/** An entry, or a list of them, with the ids that were selected. */
export function present(value: unknown, presented: Presented): unknown {
  if (presented.counted === true) return { count: [value ?? []].flat().length };
  if (Array.isArray(value)) return value.map((one) => present(one, presented));
  if (typeof value !== 'object' || value === null) return value;
  const { id, ...attributes } = value as Named;
  const { nested } = kindOf(attributes, presented);
  for (const [name, level] of nested) {
    if (Object.hasOwn(attributes, name)) attributes[name] = present(attributes[name], level);
  }
  return presented.id && id !== undefined ? { id: id as unknown, ...attributes } : attributes;
}

function kindOf({ __component, __type }: Named, presented: Presented): Presented {
  return presented.kinds?.get(String(__component ?? __type)) ?? presented;
}
