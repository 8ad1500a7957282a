import type { Document } from 'mongodb';
import type { Attributes } from '../../content-types/model/types.js';
import { componentsIn } from '../../content-types/model/walk.js';
import {
  componentPath,
  uniqueKey,
  type MorphLink,
  type Reference,
  type StoredValue,
  type UniqueKey,
} from '../../query/mutation.js';
import { listIn } from './entry-edit.js';
import { isIndexed, morphReference, referenceTo } from './relation.js';

/** The field with the unique values in components. */
export const UNIQUE_KEYS = '_unique';

/** What an entry stores of its values once more, for indexes of their own. */
interface DerivedLists {
  readonly references: Reference[];
  readonly uniqueKeys: UniqueKey[];
}

/**
 * The references of the media, morph relations and components among stored values, and the unique keys of the
 * components.
 */
export function derivedListsIn(values: Document, attributes: Attributes): DerivedLists {
  const lists: DerivedLists = { references: [], uniqueKeys: [] };
  add(values, attributes, { prefix: '', around: undefined }, lists);
  return lists;
}

/** @param around the uid of the component that has the values */
function add(
  values: Document,
  attributes: Attributes,
  { prefix, around }: { readonly prefix: string; readonly around: string | undefined },
  lists: DerivedLists,
): void {
  for (const [name, value] of Object.entries(values)) {
    const attribute = attributes.get(name);
    if (attribute === undefined || (attribute.kind === 'scalar' && !attribute.unique)) continue;
    const [a, stored] = [`${prefix}${name}`, listIn(value)];
    if (attribute.kind === 'scalar' && around !== undefined) {
      lists.uniqueKeys.push(...stored.map((one) => ({ a, k: uniqueKey(around, name, one as StoredValue) })));
    } else if (attribute.kind === 'relation' && (around !== undefined || !isIndexed(attribute))) {
      lists.references.push(...stored.map((id) => ({ a, r: referenceTo(attribute.target, Number(id)) })));
    } else if (attribute.kind === 'morph') {
      lists.references.push(...stored.map((link) => morphReference(a, link as MorphLink)));
    }
    for (const { data, component } of componentsIn(stored, attribute)) {
      if (component === undefined) continue;
      const { uid, attributes: inner } = component;
      const path = componentPath(a, Number(data['id']), attribute.kind === 'zone' ? uid : undefined);
      add(data, inner, { prefix: `${path}.`, around: uid }, lists);
    }
  }
}
