import lodash from 'lodash';
import type { Model, Named } from '../strapi.js';
import { type FindModel, modelOf } from '../utilities/sanitize/traverse-entity.js';

/** Entries in the form of Strapi v4's REST API: `{ data: { id, attributes }, meta }`; undefined stays undefined. */
export function transformResponse(resource: unknown, meta: unknown, model: Model, find: FindModel): unknown {
  if (resource === null || resource === undefined) return resource;
  return { data: transformEntry(resource, model, find), meta: meta ?? {} };
}

/** @throws Error if it is not an entry */
function transformEntry(entry: unknown, model: Model | undefined, find: FindModel): unknown {
  if (entry === null || entry === undefined) return entry;
  if (Array.isArray(entry)) return entry.map((element) => transformEntry(element, model, find));
  if (!lodash.isPlainObject(entry)) throw new Error('Entry must be an object');
  const { id, ...properties } = entry as Named;
  const attributes: Named = {};
  for (const [name, value] of Object.entries(properties)) {
    const attribute = model?.attributes[name];
    attributes[name] = attribute === undefined ? value : transformValue(value, attribute, find);
  }
  return { id, attributes };
}

/** The value of an attribute: related entries and files have the form of entries; components are flat. */
function transformValue(value: unknown, attribute: Named, find: FindModel): unknown {
  if (value !== null && !Array.isArray(value) && !lodash.isPlainObject(value)) return value;
  const { type, target } = attribute;
  if (type === 'media' || (type === 'relation' && target !== undefined))
    return { data: transformEntry(value, modelOf(attribute, value, find), find) };
  const isComponent = type === 'component' || (type === 'dynamiczone' && Array.isArray(value));
  return isComponent ? transformComponent(value, attribute, find) : value;
}

function transformComponent(value: unknown, attribute: Named, find: FindModel): unknown {
  if (Array.isArray(value)) return value.map((part) => transformComponent(part, attribute, find));
  const entry = transformEntry(value, modelOf(attribute, value, find), find) as
    { id: unknown; attributes: Named } | null | undefined;
  return entry === null || entry === undefined ? entry : { id: entry.id, ...entry.attributes };
}
