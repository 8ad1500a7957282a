/** The first and the last of ids that no entry has. */
export type Gap = readonly [first: number, last: number];

/**
 * Strapi numbers imported entries anew. Empty rows in place of the ids that no entry has keep the numbers; statements remove
 * them afterwards.
 */
export function createIdGaps() {
  const gaps: Gap[] = [];
  let last = 0;
  return {
    /** The ids between the last entry and this one. */
    before: (id: number): Gap | undefined => {
      const gap: Gap | undefined = id > last + 1 ? [last + 1, id - 1] : undefined;
      if (gap !== undefined) gaps.push(gap);
      last = id;
      return gap;
    },
    gaps,
    /** The number of ids in the gaps. */
    missing: (): number => gaps.reduce((sum, [first, last]) => sum + last - first + 1, 0),
  };
}

export type IdGaps = ReturnType<typeof createIdGaps>;

/** The SQL that removes the empty rows of a table. */
export const removalOf = (table: string, gaps: readonly Gap[]): string =>
  gaps.map(([first, last]) => `DELETE FROM ${table} WHERE id BETWEEN ${first} AND ${last};\n`).join('');
