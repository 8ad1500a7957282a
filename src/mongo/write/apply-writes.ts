import { randomUUID } from 'node:crypto';
import type { Document } from 'mongodb';
import { AppError } from '../../errors/app-error.js';
import type { Query } from '../../query/ast.js';
import { changeOf } from '../../query/change.js';
import type { LazyEntry } from '../../query/entry-presenter.js';
import type { Write } from '../../query/mutation.js';
import type { Versions } from '../cache/versions.js';
import { isRefusal } from '../errors.js';
import type { FoundTargets, Missing, Targets } from '../read/missing-targets.js';
import { Conflict, executeDecided } from './batch/decisions.js';
import { executeUnlessTaken, executeWrite, isPrimary, type PrimaryOptions, type WriteParts } from './execute-write.js';
import type { RefusedIntent } from './finish-intents.js';
import type { Intent, Intents } from './intents.js';
import { lateReleases } from './late-releases.js';
import type { PendingIntents } from './pending-intents.js';

/** Options of a set of writes, in addition to the primary write and its dependants. */
export interface WriteOptions extends Pick<PrimaryOptions, 'prepareEvent'> {
  /** Further dependants, which the response does not show. */
  readonly deferred?: readonly Write[];
  /** A query for one entry, which is read before the deferred writes. */
  readonly response?: Query | undefined;
  /** Entries that are re-checked after all writes. */
  readonly targets?: Targets;
  /** The primary write changes or removes only an entry that matches it. The intent does not contain it: recovery never repeats the primary write. */
  readonly condition?: Document | undefined;
}

export interface WriteResult {
  /** How many entries the primary write found. */
  readonly matched: number;
  /** The entry of the response query; undefined if none was read. */
  readonly response: LazyEntry | undefined;
  /** The targets that do not exist any more. */
  readonly missing: Missing;
}

export interface WriteContext extends WriteParts {
  readonly intents: Intents;
  readonly pending: PendingIntents;
  readonly versions: Versions;
  readonly readResponse: (query: Query) => Promise<LazyEntry | undefined>;
  readonly findTargets: (targets: Targets) => Promise<FoundTargets>;
  /** Reports an intent that the database does not allow to finish. */
  readonly reportRefused: (refused: RefusedIntent) => void;
}

/**
 * Applies writes so that all of them happen, or none. The first one, the primary write, decides: when it is refused, or
 * finds no entry, the others are not executed. Several writes are recorded as an intent first, which survives a crash: if
 * the primary write was done and an error interrupted the others, this process completes them before its next write.
 * @throws the driver's error of the primary write, see `duplicateOf`; after all steps, the error of a later one
 */
export async function applyWrites(
  context: WriteContext,
  writes: readonly Write[],
  options: WriteOptions = {},
): Promise<WriteResult> {
  const [primary, ...dependants] = writes;
  if (primary === undefined) return { matched: 0, response: undefined, missing: new Map() };
  const { deferred = [], targets = new Map(), response, condition, prepareEvent } = options;
  const sequence = { primary, dependants, deferred, response, targets, condition, prepareEvent };
  await context.pending.settle();
  try {
    const isSingle = dependants.length === 0 && deferred.length === 0;
    return await (isSingle ? applySingle : applySequence)(context, sequence);
  } catch (error) {
    // The writes may have been applied nevertheless. The client need not wait for this.
    if (!isRefusal(error)) void incrementVersions(context, sequence).catch(() => undefined);
    throw error;
  }
}

interface Sequence extends PrimaryOptions {
  readonly primary: Write;
  readonly dependants: readonly Write[];
  readonly deferred: readonly Write[];
  readonly response: Query | undefined;
  readonly targets: Targets;
}

/** One write needs no intent. */
async function applySingle(context: WriteContext, sequence: Sequence): Promise<WriteResult> {
  const matched = await executeDecided(context, sequence.primary, sequence);
  const { missing, releases } = await publish(context, sequence);
  if (matched > 0) await releaseLate(context, sequence, releases, (release) => executeWrite(context, release));
  return { matched, response: undefined, missing };
}

/** The steps of several writes, in their order. */
async function applySequence(context: WriteContext, sequence: Sequence): Promise<WriteResult> {
  const { primary, dependants, deferred } = sequence;
  const intent = await recordIntent(context, [primary, ...dependants, ...deferred]);
  const matched = await executePrimary(context, sequence, intent);
  const isDone = matched > 0 || !isPrimary(primary);
  const remaining = isDone ? sequence : { ...sequence, dependants: [], response: undefined, deferred: [] };
  const { errors, response, missing } = await executeRemaining(context, remaining, intent).catch((error: unknown) => {
    leaveToRecovery(context, intent);
    throw error;
  });
  if (errors.length > 0) throw errors[0];
  return { matched, response, missing };
}

interface Outcome extends Omit<WriteResult, 'matched'> {
  /** The errors that did not stop the other steps. */
  readonly errors: readonly unknown[];
}

/** The steps after the primary write. @throws any error but that of a refused write or of the read of the response */
async function executeRemaining(context: WriteContext, sequence: Sequence, intent: Intent): Promise<Outcome> {
  const refused = await executeEach(context, sequence.dependants, intent);
  const { entry, errors } = await readResponse(context, refused.length === 0 ? sequence.response : undefined);
  const refusedDeferred = await executeEach(context, sequence.deferred, intent);
  const { missing, releases } = await publish(context, sequence);
  const refusedReleases: unknown[] = [];
  await releaseLate(context, sequence, releases, async (release) => {
    refusedReleases.push(...(await executeEach(context, [release], intent)));
  });
  const refusals = [...refused, ...refusedDeferred, ...refusedReleases];
  await closeIntent(context, sequence, intent, refusals);
  return { errors: [...refused, ...errors, ...refusedDeferred, ...refusedReleases], response: entry, missing };
}

async function recordIntent({ intents, pending }: WriteContext, writes: readonly Write[]): Promise<Intent> {
  const intent: Intent = { id: randomUUID(), writes };
  await intents.record(intent).catch((error: unknown) => {
    // The record may exist despite the error; completing it later would overwrite newer data.
    if (!isRefusal(error)) pending.withdraw(intent.id);
    throw error;
  });
  return intent;
}

/** A refused write was not applied; after another error it may have been applied, or may still be. */
async function executePrimary(context: WriteContext, sequence: Sequence, intent: Intent): Promise<number> {
  const { intents, pending } = context;
  try {
    return await executeDecided(context, sequence.primary, sequence);
  } catch (error) {
    if (!isRefusal(error) && !(error instanceof Conflict)) leaveToRecovery(context, intent);
    else
      await intents.remove(intent.id).catch((failure: unknown) => {
        pending.withdraw(intent.id);
        // The caller must not release the id of a new entry: recovery would take another entry with this id for the refused one.
        throw failure;
      });
    throw error;
  }
}

/** Executes writes one after the other; a refused one does not stop the others. Returns the errors of the refused ones. */
export async function executeEach(
  context: WriteContext,
  writes: readonly Write[],
  { id }: Pick<Intent, 'id'>,
): Promise<readonly unknown[]> {
  const refused: unknown[] = [];
  for (const write of writes) {
    // After a long interruption another process owns the record, and completes it.
    if (!(await context.intents.keep(id))) throw new AppError('unavailable');
    await executeUnlessTaken(context, write).catch((error: unknown) => {
      if (!isRefusal(error)) throw error;
      refused.push(error);
    });
  }
  return refused;
}

/** An error does not stop the writes: it is reported after them. */
async function readResponse(
  context: WriteContext,
  response: Query | undefined,
): Promise<{ readonly entry: LazyEntry | undefined; readonly errors: readonly unknown[] }> {
  try {
    return { entry: response && (await context.readResponse(response)), errors: [] };
  } catch (error) {
    return { entry: undefined, errors: [error] };
  }
}

/** Invalidates the caches of all processes, and checks again that the targets exist. */
async function publish(
  context: WriteContext,
  sequence: Sequence,
): Promise<{ readonly missing: Missing; readonly releases: readonly Write[] }> {
  const { primary, dependants, targets } = sequence;
  const [, { missing, sets }] = await Promise.all([incrementVersions(context, sequence), context.findTargets(targets)]);
  return { missing, releases: lateReleases([primary, ...dependants], sets) };
}

/** Invalidates the caches again, for reads in the meantime. */
async function releaseLate(
  context: WriteContext,
  sequence: Sequence,
  releases: readonly Write[],
  execute: (release: Write) => Promise<unknown>,
): Promise<void> {
  for (const release of releases) await execute(release);
  if (releases.length > 0) await incrementVersions(context, sequence);
}

const incrementVersions = ({ versions }: WriteContext, { primary, dependants, deferred }: Sequence): Promise<unknown> =>
  versions.raise([primary, ...dependants, ...deferred].map(changeOf));

async function closeIntent(
  { intents, reportRefused }: WriteContext,
  { primary, dependants }: Sequence,
  { id, writes }: Intent,
  [error]: readonly unknown[],
): Promise<void> {
  if (error !== undefined) {
    await intents.fail(id, error);
    reportRefused({ id, tries: 1, error });
    return;
  }
  // A writer that found the entry, or got its ranks, before may link to it only now, and crash before its re-check: recovery looks later.
  const repeated = primary.kind === 'remove' ? writes : dependants.filter(({ kind }) => kind === 'release');
  await (repeated.length > 0 ? intents.settle(id, repeated) : intents.remove(id));
}

/** Other processes may complete it as well if this one does not. */
export function leaveToRecovery({ intents, pending }: WriteContext, intent: Intent): void {
  intents.release(intent.id);
  pending.add(intent);
}
