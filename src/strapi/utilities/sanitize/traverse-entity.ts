import lodash from 'lodash';
import { FILE } from '../../../plugins/upload/definitions.js';
import { morphTypeOf } from '../../../query/morph-type.js';
import { textOf } from '../../../query/parse/input.js';
import type { Model, Named } from '../../strapi.js';

interface Path {
  readonly raw: string | null;
  readonly attribute: string | null;
}

export interface Visited {
  readonly data: Named;
  readonly schema: Model;
  readonly key: string;
  readonly value: unknown;
  readonly attribute: Named;
  readonly path: Path;
}

/** Visits each attribute of an entry, and can change it. */
export type Visitor = (visited: Visited, change: EntryChange) => unknown;

export interface EntryChange {
  remove(key: string): void;
  set(key: string, value: unknown): void;
}

export type FindModel = (uid: string) => Model | undefined;

/**
 * The content type or component of a value by its attribute; undefined for values without attributes of their own.
 * Without a value it is the type of all values of the attribute: undefined for zones and morph relations.
 */
export function modelOf(attribute: Named, value: unknown, find: FindModel): Model | undefined {
  switch (attribute['type']) {
    case 'relation': {
      const isMorph = String(attribute['relation']).toLowerCase().startsWith('morph');
      return find(isMorph ? textOf(morphTypeOf(value)) : String(attribute['target']));
    }
    case 'media':
      return find(FILE);
    case 'component':
      return find(String(attribute['component']));
    case 'dynamiczone':
      return find(textOf((value as Named | null)?.['__component']));
    default:
      return undefined;
  }
}

const below = (parent: string | null, key: string): string => (parent === null ? key : `${parent}.${key}`);

/** `traverseEntity` of `@strapi/utils`, curried as in Strapi v4. @param find the model with a uid */
export function createTraverseEntity(find: FindModel) {
  const traverse = async (
    visitor: Visitor,
    { schema, path = { raw: null, attribute: null } }: { readonly schema?: Model; readonly path?: Path },
    entity: unknown,
  ): Promise<unknown> => {
    if (typeof entity !== 'object' || entity === null || schema === undefined) return entity;
    const data: Named = { ...entity };
    const change = {
      remove: (key: string) => void delete data[key],
      set: (key: string, value: unknown) => void (data[key] = value),
    };
    for (const key of Object.keys(data)) {
      const attribute = Object.hasOwn(schema.attributes, key) ? schema.attributes[key] : undefined;
      if (attribute === undefined) continue;
      const here = { raw: below(path.raw, key), attribute: below(path.attribute, key) };
      await visitor({ data, schema, key, value: data[key] as unknown, attribute, path: here }, change);
      const value: unknown = data[key];
      const inner = (element: unknown): Promise<unknown> => {
        const model = modelOf(attribute, element, find);
        return traverse(visitor, { path: here, ...(model && { schema: model }) }, element);
      };
      if (value === null || value === undefined) continue;
      data[key] = Array.isArray(value) ? await Promise.all(value.map(inner)) : await inner(value);
    }
    return data;
  };
  return lodash.curry(traverse, 3);
}
