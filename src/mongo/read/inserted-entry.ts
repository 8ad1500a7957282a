import type { Query } from '../../query/ast.js';
import type { LazyEntry } from '../../query/entry-presenter.js';
import type { Changes } from '../../query/mutation.js';
import { compileQuery } from '../compile/read/compile-query.js';
import { insertedDocument } from '../write/change-entry.js';
import { assemble } from './assemble.js';

/** A new entry as a query would return it, built from the written data; undefined if it must be read. */
export function insertedEntry(query: Query, id: number, changes: Changes): LazyEntry | undefined {
  if (query.filter !== undefined) return undefined;
  const { lookups, read, project } = compileQuery(query).main;
  if (lookups.length > 0 || project.length > 1) return undefined;
  return assemble([insertedDocument(query.type, id, changes)], {}, read)[0];
}
