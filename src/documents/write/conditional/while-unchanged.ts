import type { ContentType } from '../../../content-types/model/types.js';
import { AppError, hasCode } from '../../../errors/app-error.js';
import { isSameSnapshot, type Snapshot } from '../../../mongo/read/snapshot.js';
import type { DocumentsContext } from '../../context.js';

/**
 * Whether the entry of a write is still as its client has it. It reads the entry as the client does, so that the result reveals nothing that
 * the client may not read.
 * @throws AppError preconditionFailed, notFound
 */
export type CheckVersion = () => Promise<void>;

/** Attempts of a write to an entry that others change where its client cannot see it. */
const ATTEMPTS = 10;

/**
 * Executes a write only while the check holds: nothing of the entry may change between the check and the write, otherwise it is checked
 * again.
 * @throws AppError preconditionFailed, conflict, and the errors of the write
 */
export async function whileUnchanged<T>(
  { store }: DocumentsContext,
  { type, id }: { readonly type: ContentType; readonly id: number },
  check: CheckVersion | undefined,
  write: (unchanged: Snapshot | undefined) => Promise<T>,
): Promise<T> {
  if (check === undefined) return write(undefined);
  let failed: { readonly snapshot: Snapshot; readonly error: unknown } | undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const snapshot = await store.snapshot(type, id);
    if (snapshot === undefined) throw new AppError('notFound');
    // It was refused for another reason.
    if (failed !== undefined && isSameSnapshot(failed.snapshot, snapshot)) throw failed.error;
    await check();
    try {
      return await write(snapshot);
    } catch (error) {
      if (!hasCode(error, 'notFound')) throw error;
      failed = { snapshot, error };
    }
  }
  throw new AppError('conflict', 'Other requests change the entry at the same time');
}
