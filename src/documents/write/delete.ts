import type { ContentType } from '../../content-types/model/types.js';
import { AppError, hasCode } from '../../errors/app-error.js';
import { both, type Filter } from '../../query/ast.js';
import type { DocumentsContext, EntryRequest } from '../context.js';
import { announce, finish } from '../events/announcement.js';
import { findEntry, queryFor } from '../read.js';
import { removeReferenceWrites } from './references.js';
import { whileUnchanged, type CheckVersion } from './conditional/while-unchanged.js';

/** Conditions on the entry that is deleted. */
export interface DeleteOptions {
  /** The client's. */
  readonly check?: CheckVersion | undefined;
  readonly only?: Filter;
}

/**
 * Deletes an entry and the references to it. Returns the entry as it was.
 * @throws AppError notFound, preconditionFailed
 */
export async function deleteEntry(
  context: DocumentsContext,
  type: ContentType,
  id: number,
  request: EntryRequest,
  { check, only: condition }: DeleteOptions = {},
): Promise<unknown> {
  const { registry, store, hooks } = context;
  const { caller, limitedBy = caller } = request;
  const only = both(context.limitOf(type, 'delete', limitedBy), condition);
  const query = queryFor(context, type, 'delete', request);
  const entry = await findEntry(context, { ...query, filter: both(query.filter, only) }, id);
  await check?.();
  context.planned?.remove(type, id, entry);
  if (context.isDryRun === true) return entry(request.presenter);
  const afterDelete = await hooks.beforeDelete({ type, id });
  const writes = removeReferenceWrites(type, id, registry.contentTypes);
  const announcement = await whileUnchanged(context, { type, id }, check, async (unchanged) => {
    const announced = announce(context.audiences, store, type, 'delete', request);
    await announced?.record(id, undefined, entry);
    const removal = store.apply([{ kind: 'remove', type, id }, ...writes], { only, unchanged });
    const { matched } = await removal.catch(async (error: unknown) => {
      if (hasCode(error, 'conflict')) await announced?.discard();
      throw error;
    });
    if (matched > 0) return announced;
    await announced?.discard();
    throw new AppError('notFound');
  });
  const shown = await finish(announcement, async () => {
    await afterDelete();
    await hooks.after({ action: 'delete', type, id });
    return entry;
  });
  return shown(request.presenter);
}
