import type { Registry } from '../../content-types/model/types.js';
import { hasCode } from '../../errors/app-error.js';
import type { Write } from '../../query/mutation.js';
import { executeRecoveryStep, executeWrite, progressOf, type Progress, type WriteParts } from './execute-write.js';
import type { Intent, Intents, LeftIntent } from './intents.js';
import { duplicateOf, translateError } from '../errors.js';
import type { Versions } from '../cache/versions.js';

export interface WriteContext extends WriteParts {
  readonly intents: Intents;
  readonly versions: Versions;
  /** Told of an intent that the database does not let anybody finish. */
  readonly tellRefused: (refused: RefusedIntent) => void;
}

/** An intent that was not finished, and why. */
export interface RefusedIntent {
  readonly id: string;
  /** How often it was tried by now. */
  readonly tries: number;
  readonly error: unknown;
}

/** A write to one entry: what goes with it makes sense only if it was done. */
type PrimaryWrite = Write & { readonly kind: 'insert' | 'update' | 'remove' };

export const isPrimary = (write: Write): write is PrimaryWrite => ['insert', 'update', 'remove'].includes(write.kind);

/**
 * Runs a write that is not the first of its intent. One that another entry's unique value came in the way of can never be
 * done: it must not keep the others from it. Gives how many entries it found.
 */
export async function executeUnlessTaken(parts: WriteParts, write: Write): Promise<number> {
  try {
    return await executeWrite(parts, write);
  } catch (error) {
    if (duplicateOf(error) === undefined) throw error;
    return 0;
  }
}

/**
 * Finishes the intents that were left behind for longer than so many milliseconds, each for itself; gives how many were found.
 * One that the database refuses is noted and told, and the next comes.
 * @param alone nobody else writes: what is not done will not be done any more
 * @throws AppError unavailable
 */
export async function finishIntents(
  context: WriteContext,
  registry: Registry,
  { olderThan, alone }: { readonly olderThan: number; readonly alone: boolean },
): Promise<number> {
  const left = await context.intents.left(registry, olderThan);
  // Deletes come last: the others may link to what they take away.
  const ordered = left.toSorted((a, b) => Number(isDelete(a)) - Number(isDelete(b)));
  for (const intent of ordered) {
    if (!(await context.intents.take(intent))) continue;
    await finishIntent(context, intent, alone || intent.settled || intent.looked);
  }
  return left.length;
}

const isDelete = ({ writes: [first] }: Intent): boolean => first?.kind === 'remove';

/**
 * Does what is not done of an intent that this process holds, so that nothing is lost of what was written since, and
 * removes it. Nobody was told that it was done: one whose first write was not done is given up. As the command may still be on
 * its way, it is looked at twice for that. One without writes is withdrawn.
 * @param last nothing of it is on its way any more
 * @throws AppError unavailable
 */
export async function finishIntent(
  context: WriteContext,
  { id, writes, tries = 0 }: Intent & Partial<Pick<LeftIntent, 'tries'>>,
  last: boolean,
): Promise<'finished' | 'postponed'> {
  const { intents, versions } = context;
  try {
    const done = await finishWrites(context, writes, last);
    await versions.raise([...new Set(writes.map(({ type }) => type.uid))]);
    if (!done) {
      await intents.postpone(id);
      return 'postponed';
    }
    await intents.remove(id);
  } catch (thrown) {
    intents.release(id);
    const error = translateError(thrown);
    if (hasCode(error, 'unavailable')) throw error;
    await intents.fail(id, error);
    context.tellRefused({ id, tries: tries + 1, error });
  }
  return 'finished';
}

/** False when the first one was not done, and may be done yet. @throws what the first that failed threw, when all were tried */
async function finishWrites(context: WriteContext, writes: readonly Write[], last: boolean): Promise<boolean> {
  const [first, ...rest] = writes;
  if (first === undefined) return true;
  const progress = isPrimary(first) ? await progressOf(context, first) : 'not done';
  if (isPrimary(first) && progress === 'not done' && !last) return false;
  const errors: unknown[] = [];
  const attempt = async (step: () => Promise<unknown>): Promise<void> => {
    await step().catch((error: unknown) => {
      if (hasCode(translateError(error), 'unavailable')) throw error;
      errors.push(error);
    });
  };
  if (!isPrimary(first)) await attempt(() => executeUnlessTaken(context, first));
  for (const write of rest) await attempt(() => finishStep(context, first, write, progress));
  if (errors.length > 0) throw errors[0];
  return true;
}

async function finishStep(parts: WriteParts, first: Write, write: Write, progress: Progress): Promise<void> {
  // Who took an entry last does not depend on when it is asked; this writer may not have taken it, or let go since.
  if (write.kind === 'takeover') return void (await executeUnlessTaken(parts, { ...write, rank: 0 }));
  // Nor does what localizations share, and that they know each other.
  if (write.kind === 'share') return void (await executeUnlessTaken(parts, write));
  if (isPrimary(first) && progress === 'not done') return;
  // Records of former versions name the values that each localization gets.
  if (write.kind === 'update') return void (await executeUnlessTaken(parts, shareOf(write, first)));
  // What leads to an entry that is gone, neither.
  if (first.kind !== 'insert' && first.kind !== 'update') return void (await executeUnlessTaken(parts, write));
  const since = first.changes.values.get('updatedAt');
  if (progress === 'done' && since instanceof Date) await executeRecoveryStep(parts, write, since);
}

function shareOf({ type, id, changes: { values } }: Write & { readonly kind: 'update' }, first: Write): Write {
  const names = [...values.keys()].filter((name) => name !== 'updatedAt');
  const from = 'id' in first ? first.id : id;
  return { kind: 'share', type, id, from, names, links: true, at: values.get('updatedAt') as Date };
}
