import type { Query } from '../../../query/ast.js';
import { writeCursor } from '../../../query/parse/cursor.js';
import type { EntryIds } from '../../../query/change.js';
import type { PageRead } from '../execute-read.js';

/** A list as it was read; `total` is set if the query requests it. */
export interface Page<Entry = unknown> {
  readonly entries: readonly Entry[];
  readonly total: number | undefined;
  /** The cursor of the next slice, null after the last one; set if the query uses a cursor. */
  readonly next?: string | null;
  /** Those of all entries that were read, related ones too. */
  readonly ids?: () => EntryIds;
}

/** Removes the entry that was read only to see whether there is a next page, and returns where that page begins. */
export function cutPage(
  { sort, pagination: { after, limit } }: Pick<Query, 'sort' | 'pagination'>,
  read: PageRead,
): { readonly page: PageRead; readonly next: Pick<Page, 'next'> } {
  if (after === undefined) return { page: read, next: {} };
  const last = read.entries.length > limit ? read.places[limit - 1] : undefined;
  return {
    page: { ...read, entries: read.entries.slice(0, limit) },
    next: { next: last === undefined ? null : writeCursor(last(), sort) },
  };
}
