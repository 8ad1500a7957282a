import type { Attribute } from '../content-types/types.js';

type Attributes = ReadonlyMap<string, Attribute>;

/** How many components valid data holds, at all levels: each needs an id. */
export function countComponents(data: Readonly<Record<string, unknown>>, attributes: Attributes): number {
  let count = 0;
  for (const [name, value] of Object.entries(data)) {
    const attribute = attributes.get(name);
    if (attribute?.kind !== 'component' && attribute?.kind !== 'zone') continue;
    for (const one of [value].flat()) {
      if (typeof one !== 'object' || one === null) continue;
      const component = one as Readonly<Record<string, unknown>>;
      const inner =
        attribute.kind === 'component'
          ? attribute.component
          : attribute.components.get(String(component['__component']));
      count += 1 + (inner === undefined ? 0 : countComponents(component, inner.attributes));
    }
  }
  return count;
}
