import type { Db, Document } from 'mongodb';
import type { ContentType } from '../../content-types/model/types.js';
import type { Filter } from '../../query/ast.js';
import { compileCount } from '../compile/read/compile-query.js';
import { readFilter } from './execute-read.js';

/** A filter as the database understands it, after the reads of the relations in it. @param timeout milliseconds of a command */
export const readMatching = (
  db: Db,
  type: ContentType,
  filter: Filter | undefined,
  timeout: number,
): Promise<Document> => readFilter(db, compileCount(type, filter), { timeout });
