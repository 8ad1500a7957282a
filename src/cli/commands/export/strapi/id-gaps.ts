/** The first and the last of ids that no entry has. */
export type Gap = readonly [first: number, last: number];

/**
 * Strapi numbers imported entries anew. Empty rows in place of the ids that no entry has keep the numbers; statements remove
 * them afterwards.
 */
export interface IdGaps {
  /** The ids between the last entry and this one. */
  before(id: number): Gap | undefined;
  readonly gaps: readonly Gap[];
  /** The number of ids in the gaps. */
  readonly missing: number;
}

export function createIdGaps(): IdGaps {
  const gaps: Gap[] = [];
  let [last, missing] = [0, 0];
  return {
    before: (id) => {
      const gap: Gap | undefined = id > last + 1 ? [last + 1, id - 1] : undefined;
      if (gap !== undefined) {
        gaps.push(gap);
        missing += id - 1 - last;
      }
      last = id;
      return gap;
    },
    gaps,
    get missing() {
      return missing;
    },
  };
}

/** The SQL that removes the empty rows of a table. */
export const removalOf = (table: string, gaps: readonly Gap[]): string =>
  gaps.map(([first, last]) => `DELETE FROM ${table} WHERE id BETWEEN ${first} AND ${last};\n`).join('');
