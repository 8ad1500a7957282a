import type { Document } from 'mongodb';
import type { Replacement } from '../../../query/mutation.js';
import { REFERENCES } from '../../stored/relation.js';
import { someOf } from './links.js';

/** The new list of references or unique keys; no field if nothing changes. */
export function mergeEmbeddedLists(
  name: typeof REFERENCES | '_unique',
  { paths, remove, add }: Replacement<{ readonly a: string; readonly n?: number }>,
): Document {
  if (paths.length === 0 && remove.length === 0 && add.length === 0) return {};
  const longestFirst = paths.toSorted((a, b) => b.path.length - a.path.length);
  const branches = longestFirst.map(({ path, keep }) => ({ case: isBelow(path), then: keep }));
  const stays = branches.length === 0 ? true : { $switch: { branches, default: true } };
  const removed = [...remove, ...add];
  // References may have a rank beside them.
  const element = name === REFERENCES ? { a: '$$one.a', r: '$$one.r' } : '$$one';
  const isRemoved = { $in: [element, { $literal: removed.map(withoutRank) }] };
  const cond = removed.length === 0 ? stays : { $and: [stays, { $not: [isRemoved] }] };
  const kept = { $filter: { input: { $ifNull: [`$${name}`, []] }, as: 'one', cond } };
  const elements = add.some(({ n }) => n !== undefined)
    ? add.map((element) => keepRank(element, `$${name}`))
    : { $literal: add };
  return { [name]: someOf({ $concatArrays: [kept, elements] }) };
}

/** A link that another write made in the meantime, with a higher rank, keeps it. */
function keepRank({ n, ...reference }: { readonly a: string; readonly n?: number }, list: string): Document {
  if (n === undefined) return { $literal: reference };
  const isIt = {
    $and: Object.entries(reference).map(([name, value]) => ({ $eq: [`$$one.${name}`, { $literal: value }] })),
  };
  const same = { $filter: { input: { $ifNull: [list, []] }, as: 'one', cond: isIt } };
  return { ...reference, n: { $max: [n, { $max: { $map: { input: same, as: 'one', in: '$$one.n' } } }] } };
}

const withoutRank = (element: object): Document =>
  Object.fromEntries(Object.entries(element).filter(([name]) => name !== 'n'));

const isBelow = (path: string): Document => ({
  $or: [{ $eq: ['$$one.a', { $literal: path }] }, { $eq: [{ $indexOfCP: ['$$one.a', { $literal: `${path}.` }] }, 0] }],
});
