import type { Document } from 'mongodb';
import type { Changes } from '../../query/mutation.js';
import { isListed } from '../indexes/indexes.js';
import { ranksField, REFERENCES } from './relation.js';

/** The document of a new entry. */
export function insertedDocument(
  id: number,
  { values, links, references, uniqueKeys }: Changes,
): Document & { readonly _id: number } {
  const linked = links.filter(({ connect }) => connect.length > 0);
  const column = (name: string, many: boolean, list: readonly unknown[]): [string, unknown] => [
    name,
    many ? list : list.at(-1),
  ];
  const ranked = linked.filter(({ ranks }) => ranks.length > 0);
  const ranks = ranked.map(({ attribute: { name, many }, ranks: list }) => column(name, many, list));
  const stored = [...values].filter(([, value]) => value !== undefined);
  return {
    _id: id,
    // A scan finds the first fields of a document soonest, and needs these of every entry.
    ...Object.fromEntries(stored.filter(([name]) => isListed(name))),
    ...Object.fromEntries(stored),
    ...Object.fromEntries(
      linked.map(({ attribute: { name, many }, connect }) =>
        column(
          name,
          many,
          connect.map((link) => link.id),
        ),
      ),
    ),
    ...ranksField(ranks),
    ...(references.add.length > 0 && { [REFERENCES]: references.add }),
    ...(uniqueKeys.add.length > 0 && { _unique: uniqueKeys.add }),
  };
}
