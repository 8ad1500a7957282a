import type { Db, Document } from 'mongodb';
import type { ContentType } from '../../content-types/model/types.js';
import type { Filter } from '../../query/ast.js';
import { compileCount } from '../compile/read/compile-query.js';
import { readFilter } from './execute-read.js';
import { isStillStored, type Snapshot } from './snapshot.js';

/** The conditions of a write. */
export interface Conditions {
  /** The primary write changes or removes only an entry that matches it. */
  readonly only?: Filter | undefined;
  /** And only if it is stored as it was. */
  readonly unchanged?: Snapshot | undefined;
}

/** A filter as the database understands it, after the reads of the relations in it. @param timeout milliseconds of a command */
export const readMatching = (
  db: Db,
  type: ContentType,
  filter: Filter | undefined,
  timeout: number,
): Promise<Document> => readFilter(db, compileCount(type, filter), { timeout });

/** Conditions on an entry as the database understands them; undefined: none. @param timeout milliseconds of a command */
export async function readCondition(
  db: Db,
  type: ContentType,
  { only, unchanged }: Conditions,
  timeout: number,
): Promise<Document | undefined> {
  const matched = only && (await readMatching(db, type, only, timeout));
  return unchanged ? { $and: [isStillStored(unchanged), matched ?? {}] } : matched;
}
