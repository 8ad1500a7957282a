import type { ContentType } from '../../../../content-types/model/types.js';
import type { Database } from '../../../../mongo/connection/database.js';
import { createIdSet, type IdSet } from '../../../../mongo/maintenance/check/id-set.js';
import { readDocuments } from '../../../../mongo/maintenance/extended-json-lines.js';
import type { Template } from './read-template.js';

/** The first and the last of ids that no entry has. */
type Gap = readonly [first: number, last: number];

export interface StoredIds {
  readonly set: IdSet;
  /** Those of published entries, of a type with drafts. */
  readonly live: IdSet;
  readonly count: number;
  /** The last id of an entry. */
  readonly last: number;
  /**
   * Up to the last id that was ever given. Strapi v4 numbers imported entries anew; empty rows in these places keep the
   * numbers, and statements remove them afterwards. In Strapi 5 each publication gives a new number: there are none.
   */
  readonly gaps: readonly Gap[];
}

/** Reads which entries there are, one bit each. */
export async function readIds(
  types: readonly ContentType[],
  { db }: Database,
  version: Template['version'],
): Promise<ReadonlyMap<string, StoredIds>> {
  const found = new Map<string, StoredIds>();
  for (const { uid, collectionName } of types) {
    const [set, live] = [createIdSet(), createIdSet()];
    const gaps: Gap[] = [];
    let [count, last] = [0, 0];
    const pass = (id: number): void => {
      if (id > last + 1) gaps.push([last + 1, id - 1]);
      last = id;
    };
    for await (const documents of readDocuments(db, collectionName, undefined, { projection: { _id: 1, _live: 1 } })) {
      for (const { _id, _live } of documents) {
        count += 1;
        set.add(Number(_id));
        if (_live === 1) live.add(Number(_id));
        pass(Number(_id));
      }
    }
    const counter = await db.collection<{ _id: string; id?: number }>('_counters').findOne({ _id: uid });
    const lastEntry = last;
    pass((counter?.id ?? 0) + 1);
    found.set(uid, { set, live, count, last: lastEntry, gaps: version === 5 ? [] : gaps });
  }
  return found;
}

export const countMissing = (gaps: readonly Gap[]): number =>
  gaps.reduce((sum, [first, last]) => sum + last - first + 1, 0);

/** The SQL that removes the empty rows of a table. */
export const removalOf = (table: string, gaps: readonly Gap[]): string =>
  gaps.map(([first, last]) => `DELETE FROM ${table} WHERE id BETWEEN ${first} AND ${last};\n`).join('');
