import type { Model, Named } from '../strapi.js';

/** How attributes of a type are put into the answer, by their `type`. */
type Transform = (value: unknown, attribute: Named, models: ModelsOf) => unknown;

/** Models by uid. */
export interface ModelsOf {
  contentType(uid: string): Model | undefined;
  readonly components: Named<Model>;
}

const isEntry = (value: unknown): boolean => value === null || Array.isArray(value) || isPlain(value);

const transforms: Readonly<Record<string, Transform>> = {
  relation: (value, { target }, models) =>
    isEntry(value) && target !== undefined
      ? { data: transformEntry(value, models.contentType(target), models) }
      : value,
  media: (value, _attribute, models) =>
    isEntry(value) ? { data: transformEntry(value, models.contentType('plugin::upload.file'), models) } : value,
  component: (value, { component }, models) =>
    isEntry(value) ? transformComponent(value, models.components[component], models) : value,
  dynamiczone: (value, _attribute, models) =>
    Array.isArray(value)
      ? value.map((part: Named) => transformComponent(part, models.components[part['__component']], models))
      : value,
};

/** An entry or a list of entries as Strapi v4's REST API answers it: `{ data: { id, attributes }, meta }`; nothing stays nothing. */
export function transformResponse(resource: unknown, meta: unknown, model: Model, models: ModelsOf): unknown {
  if (resource === null || resource === undefined) return resource;
  return { data: transformEntry(resource, model, models), meta: meta ?? {} };
}

/** @throws Error if it is not an entry */
function transformEntry(entry: unknown, model: Model | undefined, models: ModelsOf): unknown {
  if (entry === null || entry === undefined) return entry;
  if (Array.isArray(entry)) return entry.map((one) => transformEntry(one, model, models));
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

function transformComponent(value: unknown, model: Model | undefined, models: ModelsOf): unknown {
  if (Array.isArray(value)) return value.map((one) => transformComponent(one, model, models));
  const entry = transformEntry(value, model, models) as { id: unknown; attributes: Named } | null | undefined;
  return entry === null || entry === undefined ? entry : { id: entry.id, ...entry.attributes };
}

function isPlain(value: unknown): value is Named {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
