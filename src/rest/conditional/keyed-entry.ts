import type { IncomingHttpHeaders } from 'node:http';
import type { Request } from 'express';
import type { ContentType } from '../../content-types/model/types.js';
import type { KeyedEntry, WriteMode } from '../../documents/write/conditional/by-key.js';
import { AppError } from '../../errors/app-error.js';
import { parseKey, type Key } from '../../query/parse/parse-key.js';
import { flagOf, queryOf } from '../requests.js';

/** The entry that the path of a write names by a key. @throws AppError invalidParameter */
export function keyedEntry(type: ContentType, { params }: Request): KeyedEntry {
  const key = params as unknown as Key;
  return { type, key, filter: parseKey(key, type, 'client') };
}

/** Whether a write only creates, by `If-None-Match: *`. @throws AppError badRequest */
export function onlyCreates({ 'if-none-match': absent }: IncomingHttpHeaders): boolean {
  if (absent !== undefined && absent !== '*') throw new AppError('badRequest', 'If-None-Match of a write must be *');
  return absent !== undefined;
}

/** The mode of a PUT by a key, see `WriteMode`. @throws AppError invalidParameter, badRequest */
export function writeModeOf(request: Request): WriteMode {
  const mode = flagOf(queryOf(request), 'upsert') ? 'upsert' : 'update';
  return onlyCreates(request.headers) ? 'create' : mode;
}
