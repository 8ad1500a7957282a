import type { ContentType } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import type { Asked, DocumentsContext } from '../context.js';
import { askFor, findById } from '../read.js';
import { removeReferenceWrites } from './references.js';

/**
 * Deletes an entry and the references to it. Returns the entry as it was.
 * @throws AppError notFound
 */
export async function deleteEntry(
  context: DocumentsContext,
  type: ContentType,
  id: number,
  asked: Asked,
): Promise<unknown> {
  const { registry, store, hooks } = context;
  const entry = await findById(context, askFor(context, type, 'delete', asked), id, asked.shape);
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
