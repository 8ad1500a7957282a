import type { Attribute } from '../content-types/types.js';
import { componentsIn } from './components-in.js';
import type { Data } from './context.js';

type Attributes = ReadonlyMap<string, Attribute>;

/** How many components valid data holds, at all levels: each needs an id. */
export function countComponents(data: Data, attributes: Attributes): number {
  let count = 0;
  for (const [name, value] of Object.entries(data)) {
    for (const { data: inner, component } of componentsIn(value, attributes.get(name))) {
      count += 1 + (component === undefined ? 0 : countComponents(inner, component.attributes));
    }
  }
  return count;
}
