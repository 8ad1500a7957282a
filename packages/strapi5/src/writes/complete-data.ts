import type { ScalarAttribute } from 'content-service/content-api';
import {
  attributeTypes,
  holdsComponents,
  isComponentList,
  isRecord,
  mapComponents,
  type Attribute,
  type Attributes,
  type ContentType,
  type Data,
} from 'content-service/plugin';

/** What was written. */
export interface Written {
  /** With the ids of related entries. */
  readonly data: Data;
  /** Of the entry; undefined: it is new. */
  readonly id: number | undefined;
  readonly code: string | undefined;
}

/**
 * All data of a write, with what Strapi adds to it: an issue of relations is about the whole (recorded:
 * 21-relations/7).
 */
export function completeData({ attributes, draftAndPublish }: ContentType, { data, id, code }: Written): Data {
  const all = [...attributes.values()];
  const added = all.flatMap((attribute): readonly (readonly [string, unknown])[] => {
    if (holdsComponents(attribute)) return isComponentList(attribute) ? [[attribute.name, []]] : [];
    return attribute.kind === 'scalar' && attribute.default !== undefined ? [[attribute.name, attribute.default]] : [];
  });
  return {
    ...(draftAndPublish && { publishedAt: null }),
    ...(code !== undefined && { locale: code }),
    ...(id === undefined && (Object.fromEntries(added) as Data)),
    ...castData(data, attributes),
  };
}

const castData = (data: Data, attributes: Attributes): Data =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, castValue(value, attributes.get(name))]));

function castValue(value: unknown, attribute: Attribute | undefined): unknown {
  if (attribute?.kind === 'relation' || attribute?.kind === 'morphed') return asChange(value);
  if (attribute?.kind === 'scalar') return castScalar(value, attribute);
  if (!holdsComponents(attribute)) return value;
  return mapComponents(value, attribute, (data, component) => castData(data, component.attributes));
}

const booleans: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ...['true', 't', '1', 1].map((word) => [word, true] as const),
  ...['false', 'f', '0', 0].map((word) => [word, false] as const),
]);

function castScalar(value: unknown, { type }: ScalarAttribute): unknown {
  if (type === 'boolean') return booleans.get(value) ?? value;
  if (typeof value !== 'string' || attributeTypes[type].kind !== 'number') return value;
  const number = Number(value);
  return Number.isNaN(number) ? value : number;
}

/** What a written relation changes, with each entry as an object. */
function asChange(value: unknown): unknown {
  if (isRecord(value) && !('id' in value)) {
    const lists = Object.entries(value).filter(([, list]) => Array.isArray(list));
    return { ...value, ...(Object.fromEntries(lists.map(([name, list]) => [name, asItems(list)])) as Data) };
  }
  const isNamed = typeof value === 'object' ? value !== null : typeof value === 'number' || typeof value === 'string';
  return isNamed ? { set: asItems(value) } : value;
}

const asItems = (list: unknown): readonly unknown[] =>
  [list].flat().map((item) => (typeof item === 'number' || typeof item === 'string' ? { id: item } : item));
