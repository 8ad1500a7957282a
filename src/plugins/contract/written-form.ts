import { isRecord, type Data } from '../../config/record.js';
import type { Attribute, Attributes } from '../../content-types/model/types.js';
import { allowedComponents, holdsComponents, mapComponents } from '../../content-types/model/walk.js';

/** Components in components, which can lead back to themselves. */
const MAX_LEVELS = 6;

/**
 * The populate parameter that reads the whole value of attributes, with the components and relations in them; undefined
 * for plain ones.
 */
export function populateOf(attributes: Iterable<Attribute>, levels = MAX_LEVELS): Data | undefined {
  const entries = [...attributes].flatMap((attribute): (readonly [string, unknown])[] => {
    if (attribute.kind === 'scalar') return [];
    if (!holdsComponents(attribute)) return [[attribute.name, { fields: ['id'] }]];
    if (levels === 0) return [];
    const inner = allowedComponents(attribute).map(({ uid, attributes: own }) => {
      const populate = populateOf(own.values(), levels - 1);
      return [uid, populate === undefined ? true : { populate }] as const;
    });
    return [[attribute.name, attribute.kind === 'zone' ? { on: Object.fromEntries(inner) } : inner[0]?.[1]]];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/**
 * Values of an entry in a response as a request writes them: relations and files by their ids.
 * @param keepsIds of components; default: not, because a write may have removed them
 */
export function writtenForm(values: Data, attributes: Attributes, keepsIds = false): Data {
  const written = Object.entries(values).flatMap(([name, value]): (readonly [string, unknown])[] => {
    const attribute = attributes.get(name);
    if (attribute === undefined || !attribute.writable) return [];
    if (attribute.kind === 'scalar') return [[name, value]];
    if (!holdsComponents(attribute)) return [[name, linksOf(value)]];
    const form = mapComponents(value, attribute, (data, component) => {
      const { __component, id } = data;
      const own = writtenForm(data, component.attributes, keepsIds);
      return { ...(keepsIds && { id }), ...(__component !== undefined && { __component }), ...own };
    });
    return [[name, form]];
  });
  return Object.fromEntries(written);
}

/** The ids of related entries, with or without the envelopes of REST; of a morph relation with their types. */
function linksOf(value: unknown): unknown {
  const data = isRecord(value) && 'data' in value ? value['data'] : value;
  if (Array.isArray(data)) return data.map(linkOf);
  return isRecord(data) ? linkOf(data) : null;
}

function linkOf(entry: unknown): unknown {
  const { id, attributes = entry } = isRecord(entry) ? entry : {};
  const { __type } = isRecord(attributes) ? attributes : {};
  return __type === undefined ? id : { id, __type };
}
