import type { Query } from '../query/ast.js';
import { writeCursor } from '../query/cursor.js';
import type { PageRead } from './execute-read.js';

/** Takes the entry away that was read to see whether there is a next page, and tells where that begins. */
export function cutPage(
  { sort, pagination: { after, limit } }: Pick<Query, 'sort' | 'pagination'>,
  read: PageRead,
): { readonly page: PageRead; readonly next: { readonly next?: string | null } } {
  if (after === undefined) return { page: read, next: {} };
  const last = read.entries.length > limit ? read.places[limit - 1] : undefined;
  return {
    page: { ...read, entries: read.entries.slice(0, limit) },
    next: { next: last === undefined ? null : writeCursor(last, sort) },
  };
}
