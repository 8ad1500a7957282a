import type { Document } from 'mongodb';
import type { RelationAttribute } from '../../../content-types/model/types.js';
import type { LinkChange, Links, Rank } from '../../../query/mutation.js';
import { isExclusive, isRanked, linkFields, linkPaths, linkValues } from '../../stored/relation.js';
import { arrangeLinks } from './arrange-links.js';

/** The part of an update that changes relations: stages of a pipeline, or plain values if they suffice. */
export interface CompiledLinks {
  readonly set: Document;
  readonly unset: readonly string[];
  /** For a pipeline: fields computed from stored values, in two steps. */
  readonly prepare: Document;
  readonly computed: Document;
  readonly temporary: readonly string[];
}

/** Compiles the change of a top-level relation, with the ranks of its ids. */
export function compileLinks(links: Links, index: number): CompiledLinks {
  const { attribute, replaces, connect, ranks } = links;
  const { name, many } = attribute;
  const plain = { set: {}, unset: [], prepare: {}, computed: {}, temporary: [] };
  if (replaces && connect.length === 0) return { ...plain, unset: linkPaths(name) };
  if (!many) return { ...plain, computed: compileOne(links) };
  const ranked = isRanked(attribute) || ranks.length > 0;
  if (replaces && !ranked) return { ...plain, set: { [name]: connect.map(({ id }) => id) } };
  const pairs = `_pairs${index}`;
  const column = (at: number): Document =>
    someOf({ $map: { input: `$${pairs}`, as: 'pair', in: { $arrayElemAt: ['$$pair', at] } } });
  const [storedIds, storedRanks] = linkValues(name);
  const held = { $ifNull: [storedIds, []] };
  const stored = ranked
    ? { $zip: { inputs: [held, { $ifNull: [storedRanks, []] }] } }
    : { $map: { input: held, as: 'id', in: ['$$id'] } };
  return {
    ...plain,
    prepare: { [pairs]: arrangeLinks(stored, links, ranks) },
    computed: ranked ? linkFields(name, column(0), column(1)) : { [name]: column(0) },
    temporary: [pairs],
  };
}

/** A to-one relation: the last connected entry stays; an already linked one keeps its rank. */
function compileOne({ attribute, disconnect, connect, ranks }: Links): Document {
  const { name } = attribute;
  const [held, rank] = linkValues(name);
  const last = connect.at(-1);
  if (last === undefined) {
    const isRemoved = { $in: [held, { $literal: disconnect }] };
    const unless = (value: string): Document => ({ $cond: [isRemoved, '$$REMOVE', value] });
    return isRanked(attribute) ? linkFields(name, unless(held), unless(rank)) : { [name]: unless(held) };
  }
  return linkOne(attribute, last.id, ranks.at(-1));
}

/** A to-one relation after it is linked to this entry. */
export function linkOne(attribute: RelationAttribute, id: number, fresh: Rank | undefined): Document {
  const { name } = attribute;
  const own = { $literal: id };
  if (!isRanked(attribute)) return { [name]: own };
  const [held, rank] = linkValues(name);
  const comes = fresh === undefined ? '$$REMOVE' : { $literal: fresh };
  const stays = { $and: [{ $eq: [held, own] }, { $ne: [{ $type: rank }, 'missing'] }] };
  const kept = isExclusive(attribute) ? { $max: [rank, comes] } : rank;
  return linkFields(name, own, { $cond: [stays, kept, comes] });
}

/** The value of a relation inside a component, which has no ranks; `path` is the path of the stored value. */
export function compileInnerLinks(path: string, many: boolean, change: LinkChange): unknown {
  const { replaces, connect, disconnect } = change;
  if (!many) {
    const last = connect.at(-1);
    if (last !== undefined) return { $literal: last.id };
    return replaces ? '$$REMOVE' : { $cond: [{ $in: [path, { $literal: disconnect }] }, '$$REMOVE', path] };
  }
  const stored = { $map: { input: { $ifNull: [path, []] }, as: 'id', in: ['$$id'] } };
  const pairs = arrangeLinks(stored, change, []);
  return someOf({ $map: { input: pairs, as: 'pair', in: { $arrayElemAt: ['$$pair', 0] } } });
}

/** A list, or no field if it is empty. */
export const someOf = (list: Document): Document => ({
  $let: { vars: { list }, in: { $cond: [{ $eq: ['$$list', []] }, '$$REMOVE', '$$list'] } },
});
