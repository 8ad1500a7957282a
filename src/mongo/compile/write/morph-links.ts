import type { Document } from 'mongodb';
import type { MorphAttribute } from '../../../content-types/model/types.js';
import type { MorphLink } from '../../../query/mutation.js';
import { isReference, morphReference, REFERENCES, referencesWhere, REFERENCE_TARGETS } from '../../stored/relation.js';
import { someOf } from './links.js';
import { mergeEmbeddedLists } from './merge-embedded-lists.js';

/** Adds a target to a morph relation, or sets its only one. Linking it again counts as a later link. */
export function attachMorph({ name, many }: MorphAttribute, target: MorphLink, rank: number): readonly Document[] {
  const [link, reference] = [{ $literal: target }, morphReference(name, target)];
  const isIt = isReference(reference);
  const stays = many ? { $not: [isIt] } : { $ne: ['$$one.a', reference.a] };
  const former = { $map: { input: referencesWhere(isIt), as: 'one', in: '$$one.n' } };
  const added = { ...reference, n: { $max: [{ $literal: rank }, { $max: former }] } };
  const others = { $filter: { input: { $ifNull: [`$${name}`, []] }, as: 'one', cond: { $ne: ['$$one', link] } } };
  return [
    {
      $set: {
        [name]: many ? { $concatArrays: [others, [link]] } : link,
        [REFERENCES]: { $concatArrays: [referencesWhere(stays), [added]] },
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
  const reference = morphReference(name, target);
  const references = mergeEmbeddedLists(REFERENCES, { paths: [], remove: [reference], add: [] });
  const filter = { [REFERENCE_TARGETS]: reference.r, [name]: many ? { $elemMatch: target } : target };
  const left = { $filter: { input: `$${name}`, as: 'one', cond: { $ne: ['$$one', link] } } };
  return { filter, update: [{ $set: { [name]: many ? someOf(left) : '$$REMOVE', ...references } }] };
}
