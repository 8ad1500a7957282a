import { randomUUID } from 'node:crypto';
import { isLocalizations } from '../content-types/localized.js';
import type { Registry } from '../content-types/types.js';
import type { Write } from '../query/write.js';
import { copyNow, executeLateStep, executeWrite, progressOf, type Progress, type WriteParts } from './execute-write.js';
import type { Intent, Intents } from './intents.js';
import { duplicateOf, isRefusal } from './translate-error.js';
import type { Unfinished } from './unfinished.js';
import type { Versions } from './versions.js';

export interface WriteContext extends WriteParts {
  readonly intents: Intents;
  readonly versions: Versions;
}

/** Writes that wait until something is done, and what is done once all are, while other processes are told of them. */
export interface Later {
  readonly writes: readonly Write[];
  readonly before: () => Promise<void>;
  readonly meanwhile: () => Promise<void>;
}

const nothingLater: Later = { writes: [], before: () => Promise.resolve(), meanwhile: () => Promise.resolve() };

/** A write to one entry: what goes with it makes sense only if it was done. */
type Decisive = Write & { readonly kind: 'insert' | 'update' | 'remove' };

const isDecisive = (write: Write): write is Decisive => ['insert', 'update', 'remove'].includes(write.kind);

/**
 * Applies writes so that all of them happen, or none. The first decides: when it is refused, or finds no entry that it
 * is about, the rest is not begun. One write needs no more; several are recorded as an intent first, which outlives a
 * crash: what an error interrupted is finished before anything else is written.
 * Gives how many entries the first write found.
 * @param later further writes, what is done before them, and after all
 * @throws the driver's error of the first write, see `duplicateOf`
 */
export async function applyWrites(
  context: WriteContext & { readonly unfinished: Unfinished },
  soon: readonly Write[],
  later: Later = nothingLater,
): Promise<number> {
  const writes = [...soon, ...later.writes];
  const [first, ...rest] = writes;
  if (first === undefined) return 0;
  const { intents, versions, unfinished } = context;
  const finish = (): Promise<unknown> =>
    Promise.all([versions.raise([...new Set(writes.map(({ type }) => type.uid))]), later.meanwhile()]);
  await unfinished.settle();
  if (rest.length === 0) {
    const found = await executeWrite(context, first);
    await finish();
    return found;
  }
  const intent = { id: randomUUID(), writes };
  await intents.record(intent).catch((error: unknown) => {
    // It may be there all the same: found later it would undo what is written until then.
    if (!isRefusal(error)) unfinished.add({ ...intent, writes: [] });
    throw error;
  });
  try {
    const found = await executeFirst(context, first, intent);
    if (found > 0 || !isDecisive(first)) {
      for (const [index, write] of writes.entries()) {
        if (index === soon.length) await later.before();
        if (index > 0) await executeNext(context, write);
      }
    }
    await finish();
    // Whoever found the entry may link to it only now, and die before looking again: it is forgotten once more later.
    await (first.kind === 'remove' ? intents.settle(intent.id) : intents.remove(intent.id));
    return found;
  } catch (error) {
    if (!isRefusal(error)) unfinished.add(intent);
    throw error;
  }
}

/** A write that is refused was not done; after other errors it may have been. */
async function executeFirst(context: WriteContext, first: Write, { id }: Intent): Promise<number> {
  try {
    return await executeWrite(context, first);
  } catch (error) {
    if (isRefusal(error)) await context.intents.remove(id);
    throw error;
  }
}

/**
 * A write that another entry's unique value came in the way of can never be done: it must not keep the others from it.
 * Gives how many entries it found.
 */
async function executeNext(
  parts: WriteParts,
  write: Write,
  execute = (): Promise<number> => executeWrite(parts, write),
): Promise<number> {
  try {
    return await execute();
  } catch (error) {
    if (duplicateOf(error) === undefined) throw error;
    return 0;
  }
}

/**
 * Finishes the intents that were left behind for longer than so many milliseconds; gives how many. Nobody was told that
 * these writes were done: on a database that others use, one whose first step was not done is given up.
 */
export async function finishIntents(
  context: WriteContext,
  registry: Registry,
  { olderThan, owned }: { readonly olderThan: number; readonly owned: boolean },
): Promise<number> {
  const left = await context.intents.left(registry, olderThan);
  // Deletes come last: the others may link to what they take away.
  const ordered = left.toSorted((a, b) => Number(isDelete(a)) - Number(isDelete(b)));
  // What was deleted before may have come back, out of a backup.
  for (const intent of ordered) await finishIntent(context, intent, owned && !intent.settled);
  return left.length;
}

const isDelete = ({ writes: [first] }: Intent): boolean => first?.kind === 'remove';

/**
 * Does what is not done of an intent, so that nothing is lost of what was written since. One without writes is withdrawn.
 * @param begins does the first step too, if it was not done
 */
export async function finishIntent(context: WriteContext, { id, writes }: Intent, begins: boolean): Promise<void> {
  const [first, ...rest] = writes;
  if (first !== undefined) {
    const progress = await finishFirst(context, first, begins);
    for (const write of rest) await finishStep(context, first, write, progress);
    await context.versions.raise(writes.map(({ type }) => type.uid));
  }
  await context.intents.remove(id);
}

async function finishFirst(parts: WriteParts, first: Write, begins: boolean): Promise<Progress> {
  const progress = isDecisive(first) ? await progressOf(parts, first) : 'not done';
  if (progress !== 'not done' || (isDecisive(first) && !begins)) return progress;
  const found = await executeNext(parts, first);
  return isDecisive(first) && found === 0 ? 'not done' : 'done';
}

async function finishStep(parts: WriteParts, first: Write, write: Write, progress: Progress): Promise<void> {
  // Who took an entry last does not depend on when it is asked; this writer may not have taken it, or let go since.
  if (write.kind === 'takeover') return void (await executeNext(parts, { ...write, rank: 0 }));
  if (progress === 'not done') return;
  // What leads to an entry that is gone, and localizations of one that is there, neither.
  const isLasting = (first.kind !== 'insert' && first.kind !== 'update') || isToLocalization(write);
  if (isLasting) return void (await executeNext(parts, write));
  // Values that entries share are those that the first has now.
  if (write.kind === 'update') return void (await executeNext(parts, write, () => copyNow(parts, first, write)));
  const since = first.changes.values.get('updatedAt');
  if (progress === 'done' && since instanceof Date) await executeLateStep(parts, write, since);
}

const isToLocalization = (write: Write): boolean =>
  write.kind === 'link' && isLocalizations(write.attribute, write.type);
