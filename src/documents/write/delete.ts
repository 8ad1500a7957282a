import type { ContentType } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import { both, type Filter } from '../../query/ast.js';
import type { DocumentsContext, EntryRequest } from '../context.js';
import { announce, finish } from '../events/announcement.js';
import { findEntry, queryFor } from '../read.js';
import { removeReferenceWrites } from './references.js';

/**
 * Deletes an entry and the references to it. Returns the entry as it was.
 * @param matching only an entry that matches it is deleted
 * @throws AppError notFound
 */
export async function deleteEntry(
  context: DocumentsContext,
  type: ContentType,
  id: number,
  request: EntryRequest,
  matching?: Filter,
): Promise<unknown> {
  const { registry, store, hooks } = context;
  const { caller, limitedBy = caller } = request;
  const only = both(context.limitOf(type, 'delete', limitedBy), matching);
  const query = queryFor(context, type, 'delete', request);
  const entry = await findEntry(context, { ...query, filter: both(query.filter, only) }, id);
  const afterDelete = await hooks.beforeDelete({ type, id });
  const writes = removeReferenceWrites(type, id, registry.contentTypes);
  const announcement = announce(context.audiences, store, type, 'delete', request);
  await announcement?.record(id, undefined, entry);
  const { matched } = await store.apply([{ kind: 'remove', type, id }, ...writes], { only });
  if (matched === 0) {
    await announcement?.discard();
    throw new AppError('notFound');
  }
  const shown = await finish(announcement, async () => {
    await afterDelete();
    await hooks.after({ action: 'delete', type, id });
    return entry;
  });
  return shown(request.presenter);
}
