import type { Entries, Entry } from '../../../documents/entries.js';
import type { QueryInput } from '../../../query/parse/input.js';
import { parseFilters } from '../../../query/parse/parse-filters.js';
import type { BuiltInContext } from '../../contract/built-in.js';
import { FILE, fileTypeOf } from '../definitions.js';

type Context = Pick<BuiltInContext, 'documents' | 'entries' | 'registry'>;

/** Finds all records of files in a place that match these filters, with all of their values. */
export type FindRecords = (filters: QueryInput) => Promise<readonly Entry[]>;

/** Finds records of deleted files that can be restored. */
export async function findDeleted({ documents, registry }: Context, filters: QueryInput): Promise<readonly Entry[]> {
  const type = fileTypeOf(registry);
  const filter = parseFilters(filters, type.attributes, 'internal');
  return filter === undefined ? [] : documents.trash.find(type, filter);
}

/**
 * Where the record of a file can be. A file that is deleted or restored while they are read one after the other is in
 * one of them when that is read, because the first one is read again.
 */
export function placesOf(context: Context): readonly FindRecords[] {
  const present = presentIn(context.entries);
  return [present, (filters) => findDeleted(context, filters), present];
}

/** Finds records of files that are not deleted. */
export const presentIn =
  (entries: Entries): FindRecords =>
  (filters) =>
    entries.findMany(FILE, { filters, pagination: { limit: -1 } });
