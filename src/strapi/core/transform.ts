import lodash from 'lodash';
import type { EntryPresenter } from '../../query/entry-presenter.js';
import { restPresenter } from '../../rest/response/rest-presenter.js';
import type { Model, Named, Strapi } from '../strapi.js';
import { type FindModel, modelOf } from '../utilities/sanitize/traverse-entity.js';

interface Transforming {
  readonly find: FindModel;
  readonly presenter: EntryPresenter;
}

/** What entries of code are transformed with. */
export const transforming = ({ getModel }: Strapi): Transforming => ({
  find: getModel,
  presenter: restPresenter,
});

/** Entries of code in the form of a presenter: `{ data: { id, attributes }, meta }`; undefined stays undefined. */
export function transformResponse(
  resource: unknown,
  meta: unknown,
  model: Model | undefined,
  transforming: Transforming,
): unknown {
  if (resource === null || resource === undefined) return resource;
  return { data: transformEntry(resource, model, transforming), meta: meta ?? {} };
}

/** @throws Error if it is not an entry */
function transformEntry(entry: unknown, model: Model | undefined, transforming: Transforming): unknown {
  if (entry === null || entry === undefined) return entry;
  if (Array.isArray(entry)) return entry.map((element) => transformEntry(element, model, transforming));
  const { id, attributes } = partsOf(entry, model, transforming);
  return transforming.presenter.entry(id, attributes);
}

/** Its id, and its values with those below in their form. @throws Error if it is not an entry */
function partsOf(entry: unknown, model: Model | undefined, transforming: Transforming) {
  if (!lodash.isPlainObject(entry)) throw new Error('Entry must be an object');
  const { id, ...properties } = entry as Named;
  const attributes: Named = {};
  for (const [name, value] of Object.entries(properties)) {
    const attribute = model?.attributes[name];
    attributes[name] = attribute === undefined ? value : transformValue(value, attribute, transforming);
  }
  return { id: id as number | undefined, attributes };
}

/** The value of an attribute: related entries and files have the form of entries; components are flat. */
function transformValue(value: unknown, attribute: Named, transforming: Transforming): unknown {
  if (value !== null && !Array.isArray(value) && !lodash.isPlainObject(value)) return value;
  const { find, presenter } = transforming;
  const { type, target } = attribute;
  if (type === 'media' || (type === 'relation' && target !== undefined)) {
    const related = transformEntry(value, modelOf(attribute, value, find), transforming);
    return Array.isArray(related) ? presenter.many(related) : presenter.one(related);
  }
  const isComponent = type === 'component' || (type === 'dynamiczone' && Array.isArray(value));
  return isComponent ? transformComponent(value, attribute, transforming) : value;
}

function transformComponent(value: unknown, attribute: Named, transforming: Transforming): unknown {
  if (value === null || value === undefined) return value;
  if (Array.isArray(value)) return value.map((part) => transformComponent(part, attribute, transforming));
  const { id, attributes } = partsOf(value, modelOf(attribute, value, transforming.find), transforming);
  return { id, ...attributes };
}
