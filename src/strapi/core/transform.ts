import type { Model, Named } from '../strapi.js';
import { type FindModel, modelOf } from '../utilities/sanitize/traverse-entity.js';

/** The transformation of attributes for the response, by their `type`. */
type Transform = (value: unknown, attribute: Named, models: Models) => unknown;

/** Models by uid. */
interface Models {
  readonly getModel: FindModel;
}

const isEntry = (value: unknown): boolean => value === null || Array.isArray(value) || isPlain(value);

const transforms: Readonly<Record<string, Transform>> = {
  relation: (value, attribute, models) =>
    isEntry(value) && attribute['target'] !== undefined ? transformRelation(value, attribute, models) : value,
  media: (value, attribute, models) => (isEntry(value) ? transformRelation(value, attribute, models) : value),
  component: (value, attribute, models) => (isEntry(value) ? transformComponent(value, attribute, models) : value),
  dynamiczone: (value, attribute, models) =>
    Array.isArray(value) ? transformComponent(value, attribute, models) : value,
};

/** Entries in the form of Strapi v4's REST API: `{ data: { id, attributes }, meta }`; undefined stays undefined. */
export function transformResponse(resource: unknown, meta: unknown, model: Model, models: Models): unknown {
  if (resource === null || resource === undefined) return resource;
  return { data: transformEntry(resource, model, models), meta: meta ?? {} };
}

/** @throws Error if it is not an entry */
function transformEntry(entry: unknown, model: Model | undefined, models: Models): unknown {
  if (entry === null || entry === undefined) return entry;
  if (Array.isArray(entry)) return entry.map((element) => transformEntry(element, model, models));
  if (!isPlain(entry)) throw new Error('Entry must be an object');
  const { id, ...properties } = entry;
  const attributes: Named = {};
  for (const [name, value] of Object.entries(properties)) {
    const attribute = model?.attributes[name];
    const transform = attribute === undefined ? undefined : transforms[attribute['type']];
    attributes[name] = attribute === undefined || transform === undefined ? value : transform(value, attribute, models);
  }
  return { id, attributes };
}

const transformRelation = (value: unknown, attribute: Named, { getModel }: Models): unknown => ({
  data: transformEntry(value, modelOf(attribute, value, getModel), { getModel }),
});

function transformComponent(value: unknown, attribute: Named, models: Models): unknown {
  if (Array.isArray(value)) return value.map((part) => transformComponent(part, attribute, models));
  const entry = transformEntry(value, modelOf(attribute, value, models.getModel), models) as
    { id: unknown; attributes: Named } | null | undefined;
  return entry === null || entry === undefined ? entry : { id: entry.id, ...entry.attributes };
}

function isPlain(value: unknown): value is Named {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
