import type { Attribute, Attributes } from '../../content-types/model/types.js';
import { componentOf, holdsComponents } from '../../content-types/model/walk.js';
import { componentPath } from '../../query/mutation.js';
import { listIn, withFields } from './entry-edit.js';

/** The values of an entry or a component as they are stored. */
type Stored = Readonly<Record<string, unknown>>;

/**
 * Values with the one changed that a reference names, see `Reference`; undefined if it is not there.
 * @param change gets the value and its attribute; undefined removes it
 */
export function changeAtReference(
  values: Stored,
  attributes: Attributes,
  path: string,
  change: (value: unknown, attribute: Attribute) => unknown,
): Stored | undefined {
  const leaf = attributes.get(path);
  if (leaf !== undefined) return withFields(values, new Map([[path, change(values[path], leaf)]]));
  for (const attribute of attributes.values()) {
    const { name } = attribute;
    if (!holdsComponents(attribute) || !path.startsWith(`${name}.`)) continue;
    const stored = values[name];
    const components = listIn(stored) as readonly Stored[];
    for (const [index, component] of components.entries()) {
      const type = componentOf(attribute, component);
      const uid = attribute.kind === 'zone' ? type?.uid : undefined;
      const own = `${componentPath(name, Number(component['id']), uid)}.`;
      if (type === undefined || !path.startsWith(own)) continue;
      const changed = changeAtReference(component, type.attributes, path.slice(own.length), change);
      if (changed === undefined) return undefined;
      const next = Array.isArray(stored) ? components.with(index, changed) : changed;
      return withFields(values, new Map([[name, next]]));
    }
  }
  return undefined;
}
