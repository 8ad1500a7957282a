import type { Registry } from '../../content-types/model/types.js';
import { hasCode } from '../../errors/app-error.js';
import { changesOf } from '../../query/change.js';
import type { Write } from '../../query/mutation.js';
import type { Versions } from '../cache/versions.js';
import { translateError } from '../errors.js';
import { releasesAfter } from '../compile/write/recovery-step.js';
import {
  executeRecoveryStep,
  executeWrite,
  executeUnlessTaken,
  isPrimary,
  progressOf,
  type Progress,
  type WriteParts,
} from './execute-write.js';
import { finishBatch } from './batch/finish-batch.js';
import type { Intent, Intents, LeftIntent } from './intents.js';
import { ownReleases } from './late-releases.js';
import { recoveredForm, recoveryRules } from './recovery.js';

export interface RecoveryContext extends WriteParts {
  readonly intents: Intents;
  readonly versions: Versions;
  /** Reports an intent that the database refuses to complete. */
  readonly reportRefused: (refused: RefusedIntent) => void;
}

/** An intent that was not completed, with the reason. */
export interface RefusedIntent {
  readonly id: string;
  /** The number of attempts. */
  readonly tries: number;
  readonly error: unknown;
}

/**
 * Completes the intents that were abandoned for longer than this many milliseconds, one by one; returns their number.
 * An intent that the database refuses is marked and reported, and the next follows.
 * @param alone no other process writes: a write that is not done will not be done any more
 * @throws AppError unavailable
 */
export async function finishIntents(
  context: RecoveryContext,
  registry: Registry,
  { olderThan, alone }: { readonly olderThan: number; readonly alone: boolean },
): Promise<number> {
  const left = await context.intents.left(registry, olderThan);
  // Deletes come last: the others may link to the deleted entries.
  const ordered = left.toSorted((a, b) => Number(isDelete(a)) - Number(isDelete(b)));
  for (const intent of ordered) {
    if (!(await context.intents.take(intent))) continue;
    await finishIntent(context, intent, alone || intent.done || intent.looked);
  }
  return left.length;
}

const isDelete = ({ writes: [first] }: Intent): boolean => first?.kind === 'remove';

/**
 * Applies the missing writes of an intent that this process owns, without overwriting newer data, and removes it. No client
 * received a success: an intent whose primary write was not done is discarded. As the command may still be in transit,
 * the entry is checked twice for that. An intent without writes is withdrawn.
 * @param last none of its commands is in transit any more
 * @throws AppError unavailable
 */
export async function finishIntent(
  context: RecoveryContext,
  { id, writes, batch, key, tries = 0 }: Intent & Partial<Pick<LeftIntent, 'tries'>>,
  last: boolean,
): Promise<'finished' | 'postponed'> {
  const { intents, versions } = context;
  try {
    if (batch !== undefined)
      return await finishBatch(context, { id, steps: batch, key }, last, (all) => finishWrites(context, all, true));
    const isFinished = await finishWrites(context, writes, last);
    await versions.raise(changesOf(writes.map(({ type }) => type)));
    if (!isFinished) {
      await intents.postpone(id);
      return 'postponed';
    }
    await intents.remove(id);
  } catch (thrown) {
    intents.release(id);
    const error = translateError(thrown);
    if (hasCode(error, 'unavailable')) throw error;
    await intents.fail(id, error);
    context.reportRefused({ id, tries: tries + 1, error });
  }
  return 'finished';
}

/** False when the primary write was not done, but may be done yet. @throws the first error, after all writes were tried */
async function finishWrites(context: RecoveryContext, writes: readonly Write[], last: boolean): Promise<boolean> {
  const [first, ...rest] = writes;
  if (first === undefined) return true;
  const progress = await progressOf(context, first);
  if (progress === 'not done' && !last) return false;
  const errors: unknown[] = [];
  for (const write of isPrimary(first) ? rest : writes) {
    await recoverWrite(context, write, first, progress).catch((error: unknown) => {
      if (hasCode(translateError(error), 'unavailable')) throw error;
      errors.push(error);
    });
  }
  if (errors.length > 0) throw errors[0];
  if (progress === 'done') for (const { release } of ownReleases(first)) await executeWrite(context, release);
  return true;
}

async function recoverWrite(parts: WriteParts, write: Write, primary: Write, progress: Progress): Promise<void> {
  const action = recoveryRules[write.kind][progress];
  if (action === 'run') await executeUnlessTaken(parts, recoveredForm(write, primary));
  if (action !== 'run on older' || !('changes' in primary)) return;
  const since = primary.changes.values.get('updatedAt');
  if (!(since instanceof Date)) return;
  await executeRecoveryStep(parts, write, since);
  if (write.kind !== 'link' && write.kind !== 'attach') return;
  for (const release of releasesAfter(write, primary.type)) await executeWrite(parts, release);
}
