import { randomUUID } from 'node:crypto';
import { BSON, type Document } from 'mongodb';
import { AppError } from '../../../errors/app-error.js';
import type { Write } from '../../../query/mutation.js';
import { recordDone, type KeyUse } from '../../coordination/idempotency-keys.js';
import { isRefusal } from '../../errors.js';
import { unite, type Missing, type Targets } from '../../read/missing-targets.js';
import { isStillStored, type Snapshot } from '../../read/snapshot.js';
import { executeEach, leaveToRecovery, type WriteContext } from '../apply-writes.js';
import type { Counters } from '../counters.js';
import { executeWrite, type PrimaryOptions, type PrimaryWrite } from '../execute-write.js';
import { lateReleases } from '../late-releases.js';
import { BATCH_MARK, writesOf, type BatchStep } from './batch-step.js';
import { awaitDecisions, Conflict, pendingIn } from './decisions.js';
import { turnOf } from './decide-turn.js';
import {
  executeLate,
  isFollowed,
  repeatedWrites,
  changesOfBatch,
  undoBatch,
  unmark,
  type RecordedBatch,
} from './finish-batch.js';
import { earlyAttributes, earlyPart } from './parts.js';
import { encodeStep } from './step-format.js';
import { isSameDocument, readStored } from './stored-entries.js';
import { batchMarks } from './undo-update.js';

/** One operation of a batch. */
export interface PlannedStep extends PrimaryOptions, Pick<BatchStep, 'dependants' | 'references'> {
  readonly primary: PrimaryWrite;
  /** Only if the entry is stored as it was. */
  readonly unchanged?: Snapshot | undefined;
  readonly targets: Targets;
}

/** The idempotency key of a batch. */
export interface BatchKey {
  readonly use: KeyUse;
  /** What the response shows, see `KeyUse`. */
  readonly entries: readonly unknown[];
}

/** The outcome of a batch; a refused one names the step, with the error, or without if its entry was not found. */
export type BatchOutcome =
  | { readonly kind: 'done'; readonly missing: Missing }
  | {
      readonly kind: 'refused';
      readonly step: number;
      readonly error?: unknown;
      /** Undoes the steps that were executed: until then, they show why it was refused. */
      readonly undo: () => Promise<void>;
    };

/** Bytes of all entries and writes of a batch: its record is one document. */
const MAX_RECORD = 12 * 2 ** 20;
/** Attempts to update an entry that others change at the same time. */
const ATTEMPTS = 10;

/**
 * Applies several writes of entries so that all of them happen, or none. They are recorded as one intent, with the entries as they were. The
 * primary writes are executed first; then it is decided, with one update of the record, that they are done. If one of them is refused, or the
 * process dies before the decision, those that were executed are undone; see docs/internals/writes.md.
 * @throws AppError payloadTooLarge: nothing was executed; unavailable: it is not clear what is decided
 */
export async function applyBatch(
  context: WriteContext,
  planned: readonly PlannedStep[],
  counters: Pick<Counters, 'reserve' | 'restore'>,
  keyed?: BatchKey,
): Promise<BatchOutcome> {
  await context.pending.settle();
  const { rank: mark } = await counters.reserve(BATCH_MARK, { ids: 0, ranks: 2 });
  const updated = await readDecided(context, planned);
  if ('step' in updated) return { kind: 'refused', ...updated, undo: nothing };
  const { stored } = updated;
  const absent = planned.findIndex(
    ({ primary, unchanged }) => primary.kind === 'update' && unchanged === undefined && !isStored(stored, primary),
  );
  if (absent >= 0) return { kind: 'refused', step: absent, undo: nothing };
  const steps = recordable(planned, stored, mark);
  const second = steps.findLastIndex(({ turn }) => turn === 'last');
  if (second !== steps.findIndex(({ turn }) => turn === 'last')) {
    return { kind: 'refused', step: second, error: new AppError('badRequest', ONE_LAST), undo: nothing };
  }
  const key = keyed?.use.key;
  const intent = { id: randomUUID(), writes: [], batch: steps, key };
  await context.intents.record(intent).catch((error: unknown) => {
    if (!isRefusal(error)) leaveToRecovery(context, intent);
    throw error;
  });
  const batch = { id: intent.id, mark, steps: [...steps], key };
  let dependantError: unknown;
  try {
    // Recorded after the intent: a process that takes over the key in between finds no batch, and this one executes nothing.
    await keyed?.use.recordBatch(batch.id, keyed.entries);
    const refused = await executePrimaries(context, planned, batch);
    if (refused !== undefined) return { kind: 'refused', ...refused, undo: () => undo(context, batch) };
    if ((await context.intents.decide(batch.id, 'done')) !== 'done') throw new AppError('unavailable');
    const { missing, error } = await finish(context, planned, batch);
    await counters.restore();
    if (error === undefined) return { kind: 'done', missing };
    dependantError = error;
  } catch (error) {
    leaveToRecovery(context, { ...intent, batch: batch.steps });
    void context.versions.raise(changesOfBatch(steps)).catch(() => undefined);
    throw error;
  }
  throw dependantError;
}

type Stored = ReadonlyMap<unknown, ReadonlyMap<number, Document>>;

/** The entries that are updated, as they are stored, by type and id. */
async function readUpdated(context: WriteContext, planned: readonly PlannedStep[]): Promise<Stored> {
  const updates = planned.flatMap(({ primary, unchanged }) =>
    primary.kind === 'update' && unchanged === undefined ? [primary] : [],
  );
  const types = [...new Set(updates.map(({ type }) => type))];
  const stored = new Map<unknown, ReadonlyMap<number, Document>>();
  for (const type of types) {
    const ids = updates.flatMap((update) => (update.type === type ? [update.id] : []));
    stored.set(type, await readStored(context, type, ids));
  }
  return stored;
}

/** The same, once it is decided about the other batches that have written them: one of a batch that is undone may not be there any more. */
async function readDecided(
  context: WriteContext,
  planned: readonly PlannedStep[],
): Promise<{ readonly stored: Stored } | Refused> {
  const stored = await readUpdated(context, planned);
  const marksOf = ({ primary: { type, id } }: PlannedStep): readonly number[] =>
    pendingIn(stored.get(type)?.get(id) ?? {});
  const step = planned.findIndex((operation) => marksOf(operation).length > 0);
  if (step < 0) return { stored };
  const refused = await attempt(step, async () => {
    await awaitDecisions(context.intents, planned.flatMap(marksOf));
    return true;
  });
  return refused ?? { stored: await readUpdated(context, planned) };
}

const isStored = (stored: Stored, { type, id }: PrimaryWrite): boolean => stored.get(type)?.has(id) === true;

/** The steps, with the entries that may have to be restored. @throws AppError payloadTooLarge */
function recordable(planned: readonly PlannedStep[], stored: Stored, mark: number): readonly BatchStep[] {
  const steps = planned.map((step): BatchStep => {
    const { dependants, references, unchanged, condition } = step;
    const primary = withMarks(step.primary, mark);
    const isConditional = condition !== undefined || unchanged !== undefined;
    const early = earlyAttributes(primary, isConditional);
    const current =
      primary.kind === 'update' ? (unchanged?.document ?? stored.get(primary.type)?.get(primary.id)) : undefined;
    const turn = turnOf(earlyPart({ primary, early }), isConditional, early, current);
    return { primary, dependants, turn, early, before: turn === 'after' ? undefined : current, references };
  });
  if (BSON.calculateObjectSize({ batch: steps.map(encodeStep) }) > MAX_RECORD) throw new AppError('payloadTooLarge');
  return steps;
}

const nothing = (): Promise<void> => Promise.resolve();

const ONE_LAST =
  'Only one operation of a batch can change a unique value that an entry has, or delete an entry under a condition';

/** The last marks: the entry keeps them for longest. */
const withMarks = (primary: PrimaryWrite, n: number): PrimaryWrite => {
  if (primary.kind === 'remove') return primary;
  const marks = [...(primary.changes.marks ?? []), { a: BATCH_MARK, n }, { a: BATCH_MARK, n: n + 1 }];
  return { ...primary, changes: { ...primary.changes, marks } };
};

interface RunningBatch extends Pick<RecordedBatch, 'id' | 'key'> {
  readonly mark: number;
  /** With the entries as last read. */
  readonly steps: BatchStep[];
}

interface Refused {
  readonly step: number;
  readonly error?: unknown;
}

/** Executes the primary writes that can be refused. Returns the first refused one. @throws any other error */
async function executePrimaries(
  context: WriteContext,
  planned: readonly PlannedStep[],
  batch: RunningBatch,
): Promise<Refused | undefined> {
  // In the same order in all batches: none waits for one that waits for it.
  const indexes = [...planned.keys()].toSorted((a, b) => (nameOf(planned[a]) < nameOf(planned[b]) ? -1 : 1));
  const inTurn = (kind: string, turn: string): readonly number[] =>
    indexes.filter((index) => batch.steps[index]?.primary.kind === kind && batch.steps[index]?.turn === turn);
  // Inserts share commands.
  const inserts = await Promise.all(
    inTurn('insert', 'undoable').map((index) => attempt(index, () => executeOne(context, planned, batch, index))),
  );
  const refused = inserts.find((outcome) => outcome !== undefined);
  if (refused !== undefined) return refused;
  for (const index of [...inTurn('update', 'undoable'), ...inTurn('update', 'last'), ...inTurn('remove', 'last')]) {
    if (!(await context.intents.keep(batch.id))) throw new AppError('unavailable');
    const outcome = await attempt(index, () => executeOne(context, planned, batch, index));
    if (outcome !== undefined) return outcome;
  }
  return undefined;
}

const nameOf = (step: PlannedStep | undefined): string => `${step?.primary.type.uid}:${step?.primary.id}`;

async function attempt(step: number, execute: () => Promise<boolean>): Promise<Refused | undefined> {
  try {
    return (await execute()) ? undefined : { step };
  } catch (error) {
    if (isRefusal(error) || error instanceof Conflict) return { step, error };
    throw error;
  }
}

/** False if the entry was not found. */
async function executeOne(
  context: WriteContext,
  planned: readonly PlannedStep[],
  batch: RunningBatch,
  index: number,
): Promise<boolean> {
  const [step, options] = [batch.steps[index], planned[index]];
  if (step === undefined || options === undefined) return false;
  const { turn, early = [] } = step;
  const primary = earlyPart(step, isFollowed(batch.steps));
  const { unchanged, condition = {}, prepareEvent } = options;
  if (primary.kind === 'insert') return (await executeWrite(context, primary, { prepareEvent })) > 0;
  const required = primary.kind === 'update' ? step.before : unchanged?.document;
  if (required === undefined && primary.kind === 'update') return false;
  let stored = required;
  for (let attempts = 0; attempts < ATTEMPTS; attempts += 1) {
    // One that is undone would restore what was stored before, and the next one what the first wrote.
    const others = batchMarks(stored ?? {}).filter((mark) => mark !== batch.mark);
    await awaitDecisions(context.intents, others);
    const still = stored === undefined ? [] : [isStillStored({ document: stored })];
    if ((await executeWrite(context, primary, { condition: { $and: [condition, ...still] } })) > 0) return true;
    if (unchanged !== undefined || primary.kind === 'remove') return false;
    const current = (await readStored(context, primary.type, [primary.id])).get(primary.id);
    // It was not refused because it has changed.
    if (current === undefined || (stored !== undefined && isSameDocument(current, stored))) return false;
    if (turnOf(primary, true, early, current) !== turn) throw new Conflict();
    stored = current;
    batch.steps[index] = { ...step, before: current };
    await context.intents.replaceSteps(batch.id, batch.steps);
  }
  throw new Conflict();
}

async function undo(context: WriteContext, batch: RunningBatch): Promise<void> {
  try {
    if ((await context.intents.decide(batch.id, 'undone')) !== 'undone') throw new AppError('unavailable');
    await undoBatch(context, batch);
  } catch (error) {
    leaveToRecovery(context, { ...batch, writes: [], batch: batch.steps });
    throw error;
  }
}

/** The steps after the decision; the error is that of a refused one, which did not stop the others. */
async function finish(
  context: WriteContext,
  planned: readonly PlannedStep[],
  { id, steps, key }: RunningBatch,
): Promise<{ readonly missing: Missing; readonly error?: unknown }> {
  if (key !== undefined) await recordDone(context.db, key, id);
  const removed = await executeLate(context, { id, steps });
  const refusals: unknown[] = [];
  const execute = async (writes: readonly Write[]): Promise<void> => {
    refusals.push(...(await executeEach(context, writes, { id })));
  };
  await execute(steps.flatMap((step) => (removed.includes(step) ? [] : step.dependants)));
  await unmark(context, steps);
  const [, { missing, sets }] = await Promise.all([
    context.versions.raise(changesOfBatch(steps)),
    context.findTargets(unite(planned.map(({ targets }) => targets))),
  ]);
  const releases = steps.flatMap((step) => lateReleases(writesOf(step), sets));
  await execute(releases);
  if (releases.length > 0) await context.versions.raise(changesOfBatch(steps));
  const [error] = refusals;
  if (error !== undefined) {
    await context.intents.fail(id, error);
    context.reportRefused({ id, tries: 1, error });
    return { missing, error };
  }
  const repeated = repeatedWrites(steps);
  await (repeated.length > 0 ? context.intents.settle(id, repeated, true) : context.intents.remove(id));
  return { missing };
}
