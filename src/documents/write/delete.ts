import type { ContentType } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import type { DocumentsContext, EntryRequest } from '../context.js';
import { queryFor, findById } from '../read.js';
import { removeReferenceWrites } from './references.js';

/**
 * Deletes an entry and the references to it. Returns the entry as it was.
 * @throws AppError notFound
 */
export async function deleteEntry(
  context: DocumentsContext,
  type: ContentType,
  id: number,
  request: EntryRequest,
): Promise<unknown> {
  const { registry, store, hooks } = context;
  const entry = await findById(context, queryFor(context, type, 'delete', request), id, request.presenter);
  const afterDelete = await hooks.beforeDelete({ type, id });
  const { found } = await store.apply([
    { kind: 'remove', type, id },
    ...removeReferenceWrites(type, id, registry.contentTypes),
  ]);
  if (found === 0) throw new AppError('notFound');
  await afterDelete();
  await hooks.after({ action: 'delete', type, id });
  return entry;
}
