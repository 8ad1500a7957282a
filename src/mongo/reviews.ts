import type { Db, Document } from 'mongodb';
import type { ContentType } from '../content-types/model/types.js';
import { translated } from './errors.js';
import { createOnDemand } from './indexes/on-demand-indexes.js';
import { systemCommandOptions } from './read/time-limits.js';
import { hashOfState, PUBLICATION, REVIEW, waits, type StoredPublication, type StoredReview } from './stored/review.js';
import { COPIED } from './stored/working-copy.js';

/** An entry, and whether somebody asks to publish it. */
export interface ReviewedEntry {
  readonly id: number;
  readonly review: StoredReview | undefined;
  /** Of what would be published now; undefined: there is nothing to publish. */
  readonly hash: string | undefined;
}

/** Requests to publish in the entries, and the list of their types in `_reviews`. */
export function openReviews(db: Db) {
  const types = db.collection<{ readonly _id: string }>('_reviews');
  /** Types stay registered, so each process does it once. */
  const prepared = new Set<string>();
  const options = { ...systemCommandOptions, readPreference: 'primary' } as const;
  const byIds = async (name: string, ids: readonly number[]): Promise<ReadonlyMap<number, Document>> => {
    const found = await db
      .collection<{ _id: number }>(name)
      .find({ _id: { $in: [...ids] } }, options)
      .toArray();
    return new Map(found.map((document) => [document._id, document]));
  };
  return {
    /** The uids of all types of which somebody has ever asked to publish an entry. */
    types: (): Promise<readonly string[]> =>
      translated(async () => (await types.find({}, systemCommandOptions).toArray()).map(({ _id }) => _id)),
    /** Registers a type: its entries can have requests. */
    prepare: ({ uid, collectionName }: ContentType): Promise<void> =>
      translated(async () => {
        if (prepared.has(uid)) return;
        await createOnDemand(db, collectionName, 'reviews');
        await types.updateOne({ _id: uid }, { $set: {} }, { ...systemCommandOptions, upsert: true });
        prepared.add(uid);
      }),
    /** The last publications of these entries by users, by their ids. */
    publications: (
      { collectionName }: ContentType,
      ids: readonly number[],
    ): Promise<ReadonlyMap<number, StoredPublication>> =>
      translated(async () => {
        const found = await db
          .collection<{ _id: number; [PUBLICATION]: StoredPublication }>(collectionName)
          .find(
            { _id: { $in: [...ids] }, [PUBLICATION]: { $exists: true } },
            { ...options, projection: { [PUBLICATION]: 1 } },
          )
          .toArray();
        return new Map(found.map(({ _id, [PUBLICATION]: publication }) => [_id, publication]));
      }),
    /** The entries with these ids. They do not change meanwhile if the caller has locked them. */
    read: (type: ContentType, ids: readonly number[]): Promise<readonly ReviewedEntry[]> =>
      translated(async () => {
        const { collectionName, copies } = type;
        const entries = await byIds(collectionName, ids);
        const copied = [...entries.values()]
          .filter((entry) => entry[COPIED] !== undefined)
          .map(({ _id }) => Number(_id));
        const prepared =
          copies === undefined || copied.length === 0
            ? new Map<number, Document>()
            : await byIds(copies.collectionName, copied);
        return [...entries].map(([id, entry]) => ({
          id,
          review: entry[REVIEW] as StoredReview | undefined,
          hash: waits(entry) ? hashOfState(type, prepared.get(id) ?? entry) : undefined,
        }));
      }),
  };
}

export type Reviews = ReturnType<typeof openReviews>;
