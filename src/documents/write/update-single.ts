import type { ContentType } from '../../content-types/model/types.js';
import { AppError, hasCode } from '../../errors/app-error.js';
import type { DocumentsContext, EntryRequest } from '../context.js';
import { limitOf } from '../hide-entries.js';
import { findSingleId } from '../read.js';
import type { WriteMode, Written } from './conditional/by-key.js';
import { createEntry, type CreateOptions } from './create.js';
import { updateEntry, type UpdateOptions } from './update.js';

/**
 * Changes the entry of a single type, or creates it where nothing is appended.
 * @throws AppError notFound, preconditionFailed, and as a creation or an update
 */
export async function updateSingle(
  context: DocumentsContext,
  type: ContentType,
  data: unknown,
  request: EntryRequest,
  { mode, ...options }: CreateOptions & UpdateOptions & { readonly mode?: WriteMode | undefined } = {},
): Promise<Written> {
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
