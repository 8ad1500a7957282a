import type { Data } from '../../../config/record.js';
import type { Attributes, Registry } from '../../../content-types/model/types.js';
import { holdsComponents, mapComponents } from '../../../content-types/model/walk.js';

/** Whether a type or component has a default that the type of its attribute refuses. */
export const hasRefusedDefaults = ({ contentTypes, components }: Registry): boolean =>
  [...contentTypes.values(), ...components.values()].some(({ attributes }) =>
    [...attributes.values()].some((attribute) => attribute.kind === 'scalar' && 'refusedDefault' in attribute),
  );

/** Data of a new entry with these defaults, which a validation refuses, in components too. */
export function withRefusedDefaults(data: Data, attributes: Attributes): Data {
  const complete: Record<string, unknown> = { ...data };
  for (const [name, attribute] of attributes) {
    if (attribute.kind === 'scalar') {
      if (complete[name] === undefined && 'refusedDefault' in attribute) complete[name] = attribute.refusedDefault;
    } else if (holdsComponents(attribute) && Object.hasOwn(data, name)) {
      if (attribute.kind === 'zone' && !Array.isArray(data[name])) continue;
      complete[name] = mapComponents(data[name], attribute, (inner, component) =>
        withRefusedDefaults(inner, component.attributes),
      );
    }
  }
  return complete;
}
