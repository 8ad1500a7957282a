import type { Document } from 'mongodb';
import type { MorphAttribute } from '../../../content-types/model/types.js';
import type { MorphLink, Reference } from '../../../query/mutation.js';
import { someOf } from './links.js';
import { mergeEmbeddedLists } from './merge-embedded-lists.js';

/** The fields that an owner stores for a link of a morph relation. */
export const referenceOf = (name: string, { __type, id }: MorphLink): Reference => ({ a: name, r: `${__type}:${id}` });

/** Adds a target to a morph relation, or sets its only one. Linking it again counts as a later link. */
export function attachMorph({ name, many }: MorphAttribute, target: MorphLink, rank: number): readonly Document[] {
  const [link, reference] = [{ $literal: target }, referenceOf(name, target)];
  const held = { $ifNull: ['$_refs', []] };
  const isIt = { $and: [{ $eq: ['$$one.a', reference.a] }, { $eq: ['$$one.r', reference.r] }] };
  const stays = many ? { $not: [isIt] } : { $ne: ['$$one.a', reference.a] };
  const former = { $map: { input: { $filter: { input: held, as: 'one', cond: isIt } }, as: 'one', in: '$$one.n' } };
  const added = { ...reference, n: { $max: [{ $literal: rank }, { $max: former }] } };
  const others = { $filter: { input: { $ifNull: [`$${name}`, []] }, as: 'one', cond: { $ne: ['$$one', link] } } };
  return [
    {
      $set: {
        [name]: many ? { $concatArrays: [others, [link]] } : link,
        _refs: { $concatArrays: [{ $filter: { input: held, as: 'one', cond: stays } }, [added]] },
      },
    },
  ];
}

/** Removes a target from a morph relation of all owners. */
export function detachMorph(
  { name, many }: MorphAttribute,
  target: MorphLink,
): { filter: Document; update: readonly Document[] } {
  const link = { $literal: target };
  const remove = [referenceOf(name, target)];
  const references = mergeEmbeddedLists('_refs', { paths: [], remove, add: [] });
  const filter = { '_refs.r': remove[0]?.r, [name]: many ? { $elemMatch: target } : target };
  const left = { $filter: { input: `$${name}`, as: 'one', cond: { $ne: ['$$one', link] } } };
  return { filter, update: [{ $set: { [name]: many ? someOf(left) : '$$REMOVE', ...references } }] };
}
