import type { ContentType } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import { both, type Filter } from '../../query/ast.js';
import type { DocumentsContext, EntryRequest } from '../context.js';
import { requireStates, stateLimits } from '../entry-states.js';
import { announced } from '../events/announced.js';
import { announce } from '../events/announcement.js';
import { findEntry, queryFor } from '../read.js';
import { discardCopy } from './copy-use.js';
import { finishWrite } from './finish-write.js';
import { referenceRemovals } from './references.js';
import { identityOf, receiptOf } from './sign-write.js';
import { joined } from './conditional/conditions.js';
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
  if (type.copies !== undefined && request.status === 'published')
    throw new AppError('badRequest', 'A deletion without status deletes an entry with its working copy');
  if (request.status === 'draft')
    return discardCopy(context, type, id, request, { check, ...(condition && { only: condition }) });
  const { registry, store, hooks } = context;
  const { caller, limitedBy = caller } = request;
  const limits = stateLimits(context, type, 'delete', limitedBy);
  const conditions = joined(limits, { only: condition });
  const query = queryFor(context, type, 'delete', request);
  const entry = await findEntry(context, { ...query, filter: both(query.filter, conditions.only) }, id);
  // It deletes what is prepared of the entry, too.
  if (limits.onlyCopy !== undefined) await requireStates(context, type, id, 'delete', limitedBy);
  await check?.();
  // What takes too much is refused before the entry is deleted.
  const response = entry(request.presenter);
  if (context.isDryRun === true) return response;
  const identity = identityOf(request);
  const afterDelete = await hooks.beforeDelete({ ...identity, type, id });
  const references = referenceRemovals(type, id, registry);
  const deletion = { at: new Date(), by: caller.user };
  const receipt = receiptOf(context, type, request, { ...identity, action: 'delete' });
  await whileUnchanged(context, { type, id }, check, async () => {
    const written = { ...identity, action: 'delete', type, id } as const;
    await announced(store, [announce(context.audiences, store, type, 'delete', request)], {
      record: (event) => event.record(id, undefined, entry),
      write: async () => {
        const removal = { kind: 'remove', type, id, references, deletion, receipt } as const;
        const { matched } = await store.apply([removal], conditions);
        if (matched === 0) throw new AppError('notFound');
      },
      finish: () => finishWrite(context, { written, afterDelete }, async () => entry),
      entryOf: (found) => found,
    });
  });
  return response;
}
