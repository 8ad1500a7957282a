import type { Document } from 'mongodb';
import type { MorphAttribute } from '../../content-types/types.js';
import type { MorphLink } from '../../query/write.js';
import { someOf } from './links.js';
import { compileReplacement } from './replacement.js';

const referenceOf = (name: string, { __type, id }: MorphLink) => ({ a: name, r: `${__type}:${id}` });

/** Lets a morph relation lead to a target: the only one, or one more. */
export function attachMorph({ name, many }: MorphAttribute, target: MorphLink): readonly Document[] {
  const link = { $literal: target };
  const add = [referenceOf(name, target)];
  if (!many) {
    const references = compileReplacement('_refs', { paths: [{ path: name, keep: false }], remove: [], add });
    return [{ $set: { [name]: link, ...references } }];
  }
  const others = { $filter: { input: { $ifNull: [`$${name}`, []] }, as: 'one', cond: { $ne: ['$$one', link] } } };
  const references = compileReplacement('_refs', { paths: [], remove: [], add });
  return [{ $set: { [name]: { $concatArrays: [others, [link]] }, ...references } }];
}

/** Takes a target out of a morph relation, of all that lead to it. */
export function detachMorph(
  { name, many }: MorphAttribute,
  target: MorphLink,
): { filter: Document; update: readonly Document[] } {
  const link = { $literal: target };
  const remove = [referenceOf(name, target)];
  const references = compileReplacement('_refs', { paths: [], remove, add: [] });
  const filter = { '_refs.r': remove[0]?.r, [name]: many ? { $elemMatch: target } : target };
  const left = { $filter: { input: `$${name}`, as: 'one', cond: { $ne: ['$$one', link] } } };
  return { filter, update: [{ $set: { [name]: many ? someOf(left) : '$$REMOVE', ...references } }] };
}
