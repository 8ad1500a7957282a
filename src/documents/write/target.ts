import type { ContentType } from '../../content-types/model/types.js';
import { AppError, hasCode } from '../../errors/app-error.js';
import type { EntryName } from '../../query/mutation.js';
import type { DocumentsContext, EntryRequest } from '../context.js';
import { findSingleId } from '../read.js';
import { deleteByKey, type KeyedEntry, writeByKey, type WriteMode, type WrittenEntry } from './conditional/by-key.js';
import type { CheckVersion } from './conditional/while-unchanged.js';
import { createEntry, type CreateOptions } from './create.js';
import { deleteEntry } from './delete.js';
import { updateEntry, type UpdateOptions } from './update.js';
import { limitOf } from '../rights.js';

/** The entry of a write: with an id, with a key, or the only one of a single type. */
export type Target =
  | KeyedEntry
  | EntryName
  | {
      readonly type: ContentType;
      readonly single: true;
      /** Whether a deletion also means a draft. */
      readonly isDraft?: true | undefined;
    };

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
  options: TargetOptions = {},
): Promise<WrittenEntry> {
  if ('key' in target) return writeByKey(context, target, data, request, options.mode ?? 'update', options.check);
  if ('single' in target) return updateSingle(context, target.type, data, request, options);
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
  const id =
    'id' in target
      ? target.id
      : await findSingleId(context, type, target.isDraft === true ? 'preview' : 'live', request);
  if (id === undefined) throw new AppError('notFound');
  return deleteEntry(context, type, id, request, { check });
}

/**
 * Changes the entry of a single type, or creates it where nothing is appended.
 * @throws AppError notFound, preconditionFailed, and as a creation or an update
 */
async function updateSingle(
  context: DocumentsContext,
  type: ContentType,
  data: unknown,
  request: EntryRequest,
  { mode, ...options }: TargetOptions,
): Promise<WrittenEntry> {
  const find = (): Promise<number | undefined> => findSingleId(context, type, 'preview', request);
  const refuseExisting = (id: number | undefined): void => {
    if (id !== undefined && mode === 'create') throw new AppError('preconditionFailed', 'The entry exists');
  };
  const id = await find();
  refuseExisting(id);
  if (id !== undefined) return { entry: await updateEntry(context, type, id, data, request, options), isNew: false };
  if (options.check !== undefined) throw new AppError('preconditionFailed', 'The entry does not exist');
  // The response must not reveal whether there is an entry that the caller may not read or change.
  if (limitOf(type, 'update', request.caller, false) !== undefined) throw new AppError('notFound');
  // The change is for the existing entry.
  if (options.append !== undefined && options.append.length > 0) throw new AppError('notFound');
  try {
    // An interceptor may hide an existing one, e.g. in another locale.
    if ((await context.store.count(type, undefined)) > 0)
      throw new AppError('invalidValue', 'singleType.alreadyExists');
    return { entry: await createEntry(context, type, data, request, { ...options, isSingle: true }), isNew: true };
  } catch (error) {
    // Another request may have created it concurrently.
    const created = hasCode(error, 'validation', 'invalidValue') ? await find() : undefined;
    if (created === undefined) throw error;
    refuseExisting(created);
    return { entry: await updateEntry(context, type, created, data, request), isNew: false };
  }
}
