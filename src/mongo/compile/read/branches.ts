import type { Document } from 'mongodb';
import type { ContentType } from '../../../content-types/model/types.js';
import { notCopied } from '../../stored/working-copy.js';

/** The collections that a read of entries needs. */
export interface EntrySource {
  readonly collection: string;
  /** That of the working copies, if these stand for their entries. */
  readonly copies?: string | undefined;
  /** It has working copies alone. */
  readonly isOfCopies?: true;
}

/** A collection with some of the entries, and the stages that leave out those that another one has. */
interface Branch {
  readonly from: string;
  readonly only: readonly Document[];
}

/**
 * Where the entries of a type are read.
 * @param latest a working copy stands for its entry
 * @param modified only entries with a working copy are read
 */
export const sourceOf = (
  { collectionName, copies }: ContentType,
  latest: boolean | undefined,
  modified?: boolean,
): EntrySource =>
  modified === true && copies !== undefined
    ? { collection: copies.collectionName, isOfCopies: true }
    : { collection: collectionName, ...(latest === true && copies !== undefined && { copies: copies.collectionName }) };

/**
 * The parts of a source, which are read one after the other. While a copy is saved, published or discarded, an entry
 * may be in both, but at no moment in none: the copy is stored before its entry says so, and deleted after that.
 */
export const branchesOf = ({ collection, copies }: EntrySource): readonly [Branch, ...Branch[]] =>
  copies === undefined
    ? [{ from: collection, only: [] }]
    : [
        { from: collection, only: [{ $match: notCopied }] },
        { from: copies, only: [] },
      ];

/** The stages that read all parts of a source; the command is on its collection. */
export function unite(
  source: EntrySource,
  stagesOf: (only: readonly Document[]) => readonly Document[],
): readonly Document[] {
  const [first, ...others] = branchesOf(source);
  const unions = others.map(({ from, only }) => ({ $unionWith: { coll: from, pipeline: [...stagesOf(only)] } }));
  return [...stagesOf(first.only), ...unions];
}
