import chunk from 'lodash/chunk.js';
import pLimit from 'p-limit';
import type { ContentType } from '../../../content-types/model/types.js';
import { both, type Filter } from '../../../query/ast.js';
import type { DocumentsContext, EntryRequest } from '../../context.js';
import { announce } from '../../events/announcement.js';
import { findIds, queryFor } from '../../read.js';
import { finishWrite } from '../finish-write.js';
import { referenceRemovals } from '../references.js';

/** The maximum number of entries that are deleted together. */
const BATCH = 1000;
/** Hooks that run at the same time, e.g. of providers that store files. */
const CONCURRENT = 10;

/** The request of the deletion of one entry. Only the caller shows entries in events. */
export type RequestOf = (id: number) => EntryRequest;

/**
 * Deletes all entries that match a filter, and the references to them; returns their number. An error of the database can occur after some
 * of them.
 * @throws AppError the refusal of a hook, before any entry of its batch is deleted
 */
export async function deleteEntries(
  context: DocumentsContext,
  type: ContentType,
  filter: Filter | undefined,
  request: EntryRequest,
  requestOf: RequestOf = () => request,
): Promise<number> {
  const matching = both(queryFor(context, type, 'delete', request).filter, filter);
  const ids = await findIds(context, type, matching);
  let count = 0;
  for (const batch of chunk(ids, BATCH)) count += await deleteTogether(context, type, batch, matching, requestOf);
  return count;
}

async function deleteTogether(
  context: DocumentsContext,
  type: ContentType,
  ids: readonly number[],
  matching: Filter | undefined,
  requestOf: RequestOf,
): Promise<number> {
  const { audiences, hooks, registry, store } = context;
  const limit = pLimit(CONCURRENT);
  const deletions = await Promise.all(
    ids.map(async (id) => ({
      id,
      references: referenceRemovals(type, id, registry.contentTypes),
      afterDelete: await limit(() => hooks.beforeDelete({ type, id })),
      announcement: announce(audiences, store, type, 'delete', requestOf(id)),
    })),
  );
  await Promise.all(deletions.map(async ({ id, announcement }) => announcement?.record(id, undefined)));
  const removed = await store.removeMany(type, deletions, matching);
  const finished = await Promise.allSettled(
    deletions.map(({ id, announcement, afterDelete }) =>
      limit(async () => {
        if (!removed.ids.has(id)) return announcement?.discard();
        const written = { action: 'delete', type, id } as const;
        await finishWrite(context, { written, afterDelete, announcement }, async () => nothing);
      }),
    ),
  );
  for (const result of finished) if (result.status === 'rejected') throw result.reason;
  return removed.count;
}

/** Events of these deletions have no entry. */
const nothing = (): unknown => undefined;
