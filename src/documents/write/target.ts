import type { ContentType } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import type { DocumentsContext, EntryRequest } from '../context.js';
import { findSingleId } from '../read.js';
import { deleteByKey, writeByKey, type KeyedEntry, type WriteMode, type Written } from './conditional/by-key.js';
import type { CheckVersion } from './conditional/while-unchanged.js';
import type { CreateOptions } from './create.js';
import { deleteEntry } from './delete.js';
import { updateSingle } from './update-single.js';
import { updateEntry, type UpdateOptions } from './update.js';

/** The entry of a write: with an id, with a key, or the only one of a single type. */
export type Target =
  | KeyedEntry
  | { readonly type: ContentType; readonly id: number }
  | { readonly type: ContentType; readonly single: true };

/** Options of an update; those of a creation are for the entry of a single type. */
export interface TargetOptions extends CreateOptions, UpdateOptions {
  /** Default: of entries with a key, only an existing one is updated; a single type is created if it does not exist. */
  readonly mode?: WriteMode;
}

/** See `Documents.update`. */
export async function updateTarget(
  context: DocumentsContext,
  target: Target,
  data: unknown,
  request: EntryRequest,
  { mode, ...options }: TargetOptions = {},
): Promise<Written> {
  if ('key' in target) return writeByKey(context, target, data, request, mode ?? 'update', options.check);
  if ('single' in target) return updateSingle(context, target.type, data, request, { ...options, mode });
  return { entry: await updateEntry(context, target.type, target.id, data, request, options), isNew: false };
}

/** See `Documents.delete`. */
export async function deleteTarget(
  context: DocumentsContext,
  target: Target,
  request: EntryRequest,
  check: CheckVersion | undefined,
): Promise<unknown> {
  if ('key' in target) return deleteByKey(context, target, request, check);
  const { type } = target;
  const id = 'id' in target ? target.id : await findSingleId(context, type, 'live', request);
  if (id === undefined) throw new AppError('notFound');
  return deleteEntry(context, type, id, request, { check });
}
