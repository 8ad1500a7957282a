import type { Attribute } from '../../content-types/model/types.js';
import { componentsIn, keptId } from './components-in.js';
import type { Data } from '../context.js';

type Attributes = ReadonlyMap<string, Attribute>;

/**
 * How many new components of each kind valid data holds, at all levels: each needs an id.
 * @param isNew the entry, or the component around them, is new: then they all are
 */
export function countComponents(
  data: Data,
  attributes: Attributes,
  isNew: boolean,
  counts: Map<string, number> = new Map(),
): ReadonlyMap<string, number> {
  for (const [name, value] of Object.entries(data)) {
    for (const { data: inner, component } of componentsIn(value, attributes.get(name))) {
      if (component === undefined) continue;
      const isInnerNew = keptId(inner, isNew) === undefined;
      if (isInnerNew) counts.set(component.uid, (counts.get(component.uid) ?? 0) + 1);
      countComponents(inner, component.attributes, isInnerNew, counts);
    }
  }
  return counts;
}
