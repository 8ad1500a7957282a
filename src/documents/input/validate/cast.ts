import { attributeTypes } from '../../../content-types/model/attribute-types.js';
import type { Attribute } from '../../../content-types/model/types.js';
import { mapComponents } from '../../../content-types/model/walk.js';
import type { Data } from '../../context.js';

type Attributes = ReadonlyMap<string, Attribute>;

/**
 * Data with Strapi's casts, and only with writable attributes; components keep their `id` and `__component`. A value that
 * cannot be cast stays as it is, for the validator to refuse.
 */
export function castData(data: Data, attributes: Attributes): Data {
  const cast: Record<string, unknown> = {};
  for (const [name, attribute] of attributes) {
    if (!Object.hasOwn(data, name) || data[name] === undefined || !attribute.writable) continue;
    cast[name] = castValue(data[name], attribute);
  }
  return cast;
}

function castValue(value: unknown, attribute: Attribute): unknown {
  switch (attribute.kind) {
    case 'scalar':
      return value === null ? null : attributeTypes[attribute.type].cast(value);
    case 'zone':
      if (!Array.isArray(value)) return value;
      return mapComponents(value, attribute, castComponent);
    case 'component':
      return mapComponents(value, attribute, castComponent);
    case 'relation':
    case 'morph':
    case 'morphed':
      return value;
    default:
      return attribute satisfies never;
  }
}

function castComponent(data: Data, { attributes }: { readonly attributes: Attributes }): Data {
  const names = ['id', '__component'].filter((name) => Object.hasOwn(data, name));
  return { ...Object.fromEntries(names.map((name) => [name, data[name]])), ...castData(data, attributes) };
}
