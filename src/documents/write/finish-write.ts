import { AppError, hasCode } from '../../errors/app-error.js';
import { isRefusal } from '../../mongo/errors.js';
import type { LazyEntry } from '../../query/entry-presenter.js';
import type { DocumentsContext } from '../context.js';
import type { Announcement } from '../events/audiences.js';
import type { AfterDelete, Written } from '../hooks.js';
import { readWritten } from './shortened-entry.js';

/** Whether an error shows that nothing was written: after others, the database may have executed the write. */
export const isRefused = (error: unknown): boolean =>
  isRefusal(error) || (error instanceof AppError && !hasCode(error, 'unavailable', 'outOfTime'));

interface Finishing extends Pick<DocumentsContext, 'store' | 'isBatch'> {
  readonly hooks: Pick<DocumentsContext['hooks'], 'afterWrite' | 'afterTransaction'>;
}

const ignore = (): Promise<void> => Promise.resolve();

/** Nobody but the readers of a working copy sees that it is saved or discarded. */
export const withoutHooks = ({ store, isBatch }: Pick<DocumentsContext, 'store' | 'isBatch'>): Finishing => ({
  store,
  ...(isBatch !== undefined && { isBatch }),
  hooks: { afterWrite: ignore, afterTransaction: ignore },
});

/** A write that was done, and what follows it. */
interface Done {
  readonly written: Written;
  readonly afterDelete?: AfterDelete;
  readonly announcement: Announcement | undefined;
}

/**
 * Finishes a write that was done: hooks run, and its event is completed, with the entry that is read for the response. Inside a transaction of the project, hooks
 * run immediately, as in Strapi v4, and in a batch after its commit; events always follow the commit. Returns undefined for an entry that takes
 * too much to be read.
 */
export async function finishWrite(
  { store, hooks, isBatch = false }: Finishing,
  { written, afterDelete, announcement }: Done,
  read: () => Promise<LazyEntry>,
): Promise<LazyEntry | undefined> {
  const transaction = store.transactions.current();
  if (transaction === undefined) {
    return finish(announcement, async () => {
      await afterDelete?.();
      await hooks.afterWrite(written);
      return readWritten(read);
    });
  }
  transaction.onAbort(() => announcement?.discard());
  // The entry stays locked until the end, so that its events have the order of its writes.
  await announcement?.confirm();
  if (!isBatch) {
    await hooks.afterWrite(written);
    // What they remember of the entry may be as it was before the commit.
    transaction.onAbort(() => hooks.afterTransaction(written));
  }
  const entry = await readWritten(read);
  transaction.onCommit(async () => {
    try {
      await afterDelete?.();
      await (isBatch ? hooks.afterWrite : hooks.afterTransaction)(written);
    } finally {
      await announcement?.complete(entry);
    }
  });
  return entry;
}

/** The response of a write that was done, after its event was completed. */
async function finish(
  announcement: Announcement | undefined,
  read: () => Promise<LazyEntry | undefined>,
): Promise<LazyEntry | undefined> {
  if (announcement === undefined) return read();
  await announcement.confirm();
  const entry = await read().catch(async (error: unknown) => {
    await announcement.complete(undefined);
    throw error;
  });
  await announcement.complete(entry);
  return entry;
}

/** Does work now, or inside a transaction after its commit. */
export async function afterCommit(
  { transactions }: Pick<DocumentsContext['store'], 'transactions'>,
  work: () => Promise<void>,
): Promise<void> {
  const transaction = transactions.current();
  if (transaction === undefined) return work();
  transaction.onCommit(work);
}
