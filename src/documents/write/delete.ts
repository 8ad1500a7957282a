import type { ContentType } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import type { Asked, DocumentsContext } from '../context.js';
import { askFor, findById } from '../read.js';
import { removeReferenceWrites } from './references.js';

/**
 * Deletes an entry and everything that refers to it; gives the entry as it was.
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
  const change = { action: 'delete', type, id, values: new Map(), links: [], stamps: new Map() } as const;
  const follow = await hooks.follow(change);
  const { found } = await store.apply([
    { kind: 'remove', type, id },
    ...removeReferenceWrites(type, id, registry.contentTypes),
    ...follow,
  ]);
  if (found === 0) throw new AppError('notFound');
  await hooks.after(change);
  return entry;
}
