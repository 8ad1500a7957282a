import type { Attribute } from '../../content-types/model/types.js';
import { componentsIn, keptId } from './components-in.js';
import type { Data } from '../context.js';

/**
 * Valid data of an entry that is there, where components of one list that name the same id are one: at the place of the
 * first, with what the later ones say written over it, as in Strapi v4.
 */
export function mergeComponents(data: Data, attributes: ReadonlyMap<string, Attribute>): Data {
  const merged = Object.entries(data).map(([name, value]) => {
    const attribute = attributes.get(name);
    return [name, attribute === undefined ? value : mergeIn(value, attribute)] as const;
  });
  return Object.fromEntries(merged);
}

function mergeIn(value: unknown, attribute: Attribute): unknown {
  if (attribute.kind !== 'component' && attribute.kind !== 'zone') return value;
  const kept = new Map<string, Data>();
  let added = 0;
  for (const { data, component } of componentsIn(value, attribute)) {
    const id = keptId(data, false);
    const key = id === undefined ? `new ${(added += 1)}` : `${component?.uid} ${id}`;
    kept.set(key, { ...kept.get(key), ...data });
  }
  const [first] = kept.values();
  const merged = [...kept.values()].map((one) => mergeInside(one, attribute));
  return Array.isArray(value) ? merged : first === undefined ? value : merged[0];
}

/** Components in a new one are all new. */
function mergeInside(data: Data, attribute: Attribute): Data {
  const [one] = componentsIn(data, attribute);
  const isNew = keptId(data, false) === undefined;
  return isNew || one?.component === undefined ? data : mergeComponents(data, one.component.attributes);
}
