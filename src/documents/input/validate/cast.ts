import { attributeTypes } from '../../../content-types/model/attribute-types.js';
import type { Attribute } from '../../../content-types/model/types.js';

type Attributes = ReadonlyMap<string, Attribute>;
type Data = Readonly<Record<string, unknown>>;

const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Data with Strapi's casts done and only what the content type knows in it; components keep their `id` and
 * `__component`. What cannot be cast stays as it is, for the validator to refuse.
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
    case 'component': {
      const { attributes } = attribute.component;
      return Array.isArray(value)
        ? value.map((one) => castComponent(one, attributes))
        : castComponent(value, attributes);
    }
    case 'zone':
      if (!Array.isArray(value)) return value;
      return value.map((one) => {
        const component = isData(one) ? attribute.components.get(String(one['__component'])) : undefined;
        return component === undefined ? (one as unknown) : castComponent(one, component.attributes);
      });
    case 'relation':
    case 'morph':
    case 'morphed':
      return value;
    default:
      return attribute satisfies never;
  }
}

function castComponent(value: unknown, attributes: Attributes): unknown {
  if (!isData(value)) return value;
  const kept = ['id', '__component'].filter((name) => Object.hasOwn(value, name)).map((name) => [name, value[name]]);
  return { ...(Object.fromEntries(kept) as Data), ...castData(value, attributes) };
}
