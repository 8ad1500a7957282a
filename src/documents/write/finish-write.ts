import type { LazyEntry } from '../../query/entry-presenter.js';
import type { DocumentsContext } from '../context.js';
import type { AfterDelete, Written } from '../hooks.js';
import { readWritten } from './shortened-entry.js';

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
}

/**
 * Finishes a write that was done: hooks run, and the entry is read for the response and the event. Inside a transaction
 * of the project, hooks run immediately, as in Strapi v4, and in a batch after its commit. Returns undefined for an
 * entry that takes too much to be read.
 */
export async function finishWrite(
  { store, hooks, isBatch = false }: Finishing,
  { written, afterDelete }: Done,
  read: () => Promise<LazyEntry>,
): Promise<LazyEntry | undefined> {
  const transaction = store.transactions.current();
  if (transaction === undefined) {
    await afterDelete?.();
    await hooks.afterWrite(written);
    return readWritten(read);
  }
  // What hooks remember of the entry may be as it was before the end. One that fails does not undo the write: that is
  // up to who catches its error.
  if (afterDelete !== undefined) transaction.onCommit(afterDelete);
  transaction.onCommit(() => (isBatch ? hooks.afterWrite : hooks.afterTransaction)(written));
  if (!isBatch) {
    transaction.onAbort(() => hooks.afterTransaction(written));
    await hooks.afterWrite(written);
  }
  return readWritten(read);
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
