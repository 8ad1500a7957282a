import type { ContentType } from '../../../content-types/model/types.js';
import { changesOf, type Change } from '../../../query/change.js';
import type { Write } from '../../../query/mutation.js';
import { recordDone } from '../../coordination/idempotency-keys.js';
import { AppError, hasCode } from '../../../errors/app-error.js';
import { translateError } from '../../errors.js';
import type { Versions } from '../../cache/versions.js';
import { executeUnlessTaken, executeWrite, type WriteParts } from '../execute-write.js';
import type { Intents } from '../intents.js';
import { BATCH_MARK, writesOf, type BatchStep, type Decision } from './batch-step.js';
import { markDecided } from './decisions.js';
import { batchMarksOf, earlyPart, latePart } from './parts.js';
import { hasMark } from './undo-update.js';
import { readStored, undoUpdate } from './stored-entries.js';

export interface BatchContext extends WriteParts {
  readonly intents: Intents;
  readonly versions: Versions;
}

/** A batch as recorded. */
export interface RecordedBatch {
  readonly id: string;
  readonly steps: readonly BatchStep[];
  /** The idempotency key of its request. */
  readonly key: string | undefined;
}

/** Finishes an ordinary intent whose commands are not in transit any more. */
type FinishWrites = (writes: readonly Write[]) => Promise<unknown>;

/**
 * Finishes a batch that was interrupted: it is undone, unless it was decided that it is done.
 * @param last none of its commands is in transit any more
 */
export async function finishBatch(
  context: BatchContext,
  { id, steps, key }: RecordedBatch,
  last: boolean,
  finishWrites: FinishWrites,
): Promise<'finished' | 'postponed'> {
  const decision = await decisionOf(context, id, steps, last);
  if (decision === undefined) {
    await context.intents.postpone(id);
    return 'postponed';
  }
  if (decision === 'undone') {
    await undoBatch(context, { id, steps, key });
    return 'finished';
  }
  if (key !== undefined) await recordDone(context.db, key, id);
  await executeLate(context, { id, steps });
  for (const step of steps) await finishWrites(writesOf(step));
  await unmark(context, steps);
  await context.versions.raise(changesOfBatch(steps));
  await context.intents.settle(id, repeatedWrites(steps), true);
  return 'finished';
}

/** Undefined: not decided yet. */
async function decisionOf(
  context: BatchContext,
  id: string,
  steps: readonly BatchStep[],
  last: boolean,
): Promise<Decision | undefined> {
  const decided = await context.intents.decisionOf(id);
  if (decided !== undefined) return decided;
  const decisive = steps.find(({ turn }) => turn === 'last');
  // All others were executed before it.
  if (decisive !== undefined && (await isDone(context, decisive))) return context.intents.decide(id, 'done');
  return last ? context.intents.decide(id, 'undone') : undefined;
}

async function isDone(context: BatchContext, step: BatchStep): Promise<boolean> {
  const primary = earlyPart(step);
  const stored = (await readStored(context, primary.type, [primary.id])).get(primary.id);
  if (primary.kind !== 'update') return (stored === undefined) === (primary.kind === 'remove');
  return stored !== undefined && hasMark(stored, batchMarksOf(primary)[0]?.n ?? 0);
}

/** Restores everything as it was before a batch, where nothing newer is stored. */
export async function undoBatch(context: BatchContext, { id, steps }: RecordedBatch): Promise<void> {
  const undoable = steps.filter(({ turn }) => turn === 'undoable').toReversed();
  for (const { before, ...step } of undoable) {
    const primary = earlyPart(step);
    if (primary.kind === 'update' && before !== undefined) await undoUpdate(context, primary, before);
  }
  const removals = undoable.flatMap(({ primary, references }): readonly Write[] =>
    primary.kind === 'insert' ? [{ kind: 'remove', type: primary.type, id: primary.id }, ...references] : [],
  );
  await executeEach(context, removals);
  await context.versions.raise(changesOfBatch(steps));
  // A writer that found a new entry may link to it only now.
  await context.intents.settle(id, removals, true);
}

/** Executes what follows the decision in the entries of a batch. Returns the steps whose entry is not there any more. */
export async function executeLate(
  context: BatchContext,
  { id, steps }: Pick<RecordedBatch, 'id' | 'steps'>,
): Promise<readonly BatchStep[]> {
  const removed: BatchStep[] = [];
  for (const step of steps) {
    const late = latePart(step);
    if (late === undefined) continue;
    if (!(await context.intents.keep(id))) throw new AppError('unavailable');
    const n = batchMarksOf(late)[0]?.n;
    // Others may have changed the entry since it was done.
    const condition = { _marks: { $not: { $elemMatch: { a: BATCH_MARK, n } } } };
    const matched = await executeWrite(context, late, late.kind === 'remove' ? {} : { condition });
    if (matched === 0 && late.kind !== 'remove') removed.push(step);
  }
  return removed;
}

/** Others may write the entries of a batch that is finished. */
export async function unmark(context: WriteParts, steps: readonly BatchStep[]): Promise<void> {
  const early = steps.flatMap(({ turn, primary }) => (turn === 'after' ? [] : [primary]));
  const mark = early.flatMap(batchMarksOf)[0]?.n;
  if (mark === undefined) return;
  const idsOf = (type: ContentType): readonly number[] =>
    early.flatMap((primary) => (primary.type === type ? [primary.id] : []));
  const types = [...new Set(early.map(({ type }) => type))];
  await Promise.all(types.map((type) => markDecided(context, type, idsOf(type), isFollowed(steps) ? -mark : mark)));
}

/** Does the batch write something after the decision? */
export const isFollowed = (steps: readonly BatchStep[]): boolean =>
  steps.some((step) => step.dependants.length > 0 || latePart(step) !== undefined);

async function executeEach(context: BatchContext, writes: readonly Write[]): Promise<void> {
  const errors: unknown[] = [];
  for (const write of writes) {
    await (write.kind === 'remove' ? executeWrite(context, write) : executeUnlessTaken(context, write)).catch(
      (error: unknown) => {
        if (hasCode(translateError(error), 'unavailable')) throw error;
        errors.push(error);
      },
    );
  }
  if (errors.length > 0) throw errors[0];
}

/** Repeated when the record expires, see `closeIntent`. */
export const repeatedWrites = (steps: readonly BatchStep[]): readonly Write[] =>
  steps.flatMap((step) =>
    step.primary.kind === 'remove' ? writesOf(step) : step.dependants.filter(({ kind }) => kind === 'release'),
  );

/** Anything of its types: entries are also marked, and undone. */
export const changesOfBatch = (steps: readonly BatchStep[]): readonly Change[] =>
  changesOf(steps.flatMap(writesOf).map(({ type }) => type));
