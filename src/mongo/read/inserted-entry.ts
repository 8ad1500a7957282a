import type { Document } from 'mongodb';
import type { Query } from '../../query/ast.js';
import type { LazyEntry } from '../../query/entry-presenter.js';
import { compileQuery } from '../compile/read/compile-query.js';
import { assemble } from './assemble.js';

/** A new entry as a query would return it; undefined if it must be read. */
export function insertedEntry(query: Query, document: Document): LazyEntry | undefined {
  if (query.filter !== undefined) return undefined;
  const { lookups, read, project } = compileQuery(query).main;
  if (lookups.length > 0 || project.length > 1) return undefined;
  return assemble([document], {}, read)[0];
}
