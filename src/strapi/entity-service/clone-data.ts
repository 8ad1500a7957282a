import type { Attribute, Attributes } from '../../content-types/model/types.js';
import { holdsComponents, mapComponents } from '../../content-types/model/walk.js';
import type { Named } from '../strapi.js';

const generated = new Set(['id', 'createdAt', 'updatedAt', 'localizations']);

/** The populate parameter for cloning an entry: components completely, relations by their ids. */
export function clonePopulate(attributes: Attributes): Named {
  const nodes = [...attributes.values()].flatMap((attribute): [string, unknown][] => {
    switch (attribute.kind) {
      case 'scalar':
      case 'morphed':
        return [];
      case 'relation':
      case 'morph':
        return generated.has(attribute.name) ? [] : [[attribute.name, { select: ['id'] }]];
      case 'component':
        return [[attribute.name, { populate: clonePopulate(attribute.component.attributes) }]];
      case 'zone': {
        const on = [...attribute.components].map(([uid, { attributes: inner }]) => [
          uid,
          { populate: clonePopulate(inner) },
        ]);
        return [[attribute.name, { on: Object.fromEntries(on) as Named }]];
      }
      default:
        return attribute satisfies never;
    }
  });
  return Object.fromEntries(nodes);
}

/** Converts an entry read with `clonePopulate` to the data of a new one: without its own ids, relations by id. */
export function cloneData(entry: Named, attributes: Attributes): Named {
  const kept = Object.entries(entry).flatMap(([name, value]): [string, unknown][] => {
    if (generated.has(name)) return [];
    const attribute = attributes.get(name);
    return [[name, attribute === undefined ? value : cloneValue(value, attribute)]];
  });
  return Object.fromEntries(kept);
}

function cloneValue(value: unknown, attribute: Attribute): unknown {
  const each = (clone: (entry: Named) => unknown): unknown => {
    if (Array.isArray(value)) return value.map((entry: Named) => clone(entry));
    return typeof value === 'object' && value !== null ? clone(value) : value;
  };
  if (attribute.kind === 'relation') return each(({ id }) => id as unknown);
  if (attribute.kind === 'morph') return each(({ id, __type }) => ({ id: id as unknown, __type: __type as unknown }));
  if (!holdsComponents(attribute)) return value;
  return mapComponents(value, attribute, (data, { attributes }) => cloneData(data, attributes));
}
