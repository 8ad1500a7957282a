import type { Store } from '../../../mongo/store.js';
import type { EntryName } from '../../../query/mutation.js';
import type { DocumentsContext } from '../../context.js';

/**
 * Whether the entry of a write is still as its client has it. It reads the entry as the client does, so that the result
 * reveals nothing that the client may not read.
 * @throws AppError preconditionFailed, notFound
 */
export type CheckVersion = () => Promise<void>;

/**
 * Executes a write only if the check holds: from the check to the write, the entry is locked. A dry run was checked
 * before.
 * @throws AppError preconditionFailed, conflict, and the errors of the write
 */
export async function whileUnchanged<T>(
  { store, isDryRun = false }: Pick<DocumentsContext, 'isDryRun'> & { readonly store: Pick<Store, 'transactions'> },
  { type, id }: EntryName,
  check: CheckVersion | undefined,
  write: () => Promise<T>,
): Promise<T> {
  if (check === undefined || isDryRun) return write();
  return store.transactions.run(async (transaction) => {
    await transaction.inTurn(() => transaction.lock([{ collection: type.collectionName, id }]));
    await check();
    return write();
  });
}
