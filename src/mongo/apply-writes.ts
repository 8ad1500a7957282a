import { randomUUID } from 'node:crypto';
import type { Registry } from '../content-types/types.js';
import type { Write, WriteKind } from '../query/write.js';
import { executeWrite, isDone, type WriteParts } from './execute-write.js';
import type { Intent, Intents } from './intents.js';
import { duplicateOf, isRefusal } from './translate-error.js';
import type { Unfinished } from './unfinished.js';
import type { Versions } from './versions.js';

export interface WriteContext extends WriteParts {
  readonly intents: Intents;
  readonly versions: Versions;
}

/** Writes that wait until something is done. */
export interface Later {
  readonly writes: readonly Write[];
  readonly before: () => Promise<void>;
}

const nothingLater: Later = { writes: [], before: () => Promise.resolve() };

/** Writes to one entry: what goes with them makes sense only if the entry is there. */
const decisive = new Set<WriteKind>(['insert', 'update', 'remove']);

/**
 * Applies writes so that all of them happen, or none. The first decides: when it is refused, or finds no entry that it
 * is about, the rest is not begun. One write needs no more; several are recorded as an intent first, which outlives a
 * crash: what an error interrupted is finished before anything else is written.
 * Gives how many entries the first write found.
 * @param later further writes, and what is done before them
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
  await unfinished.settle();
  if (rest.length === 0) {
    const found = await executeWrite(context, first);
    await versions.raise([first.type.uid]);
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
    if (found > 0 || !decisive.has(first.kind)) {
      for (const [index, write] of writes.entries()) {
        if (index === soon.length) await later.before();
        if (index > 0) await executeNext(context, write);
      }
    }
    await versions.raise([...new Set(writes.map(({ type }) => type.uid))]);
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
async function executeNext(parts: WriteParts, write: Write): Promise<number> {
  try {
    return await executeWrite(parts, write);
  } catch (error) {
    if (duplicateOf(error) === undefined) throw error;
    return 0;
  }
}

/** Finishes the intents that were left behind for longer than so many milliseconds; gives how many. */
export async function finishIntents(context: WriteContext, registry: Registry, olderThan: number): Promise<number> {
  const left = await context.intents.left(registry, olderThan);
  // Deletes come last: the others may link to what they take away.
  const ordered = left.toSorted((a, b) => Number(isDelete(a)) - Number(isDelete(b)));
  for (const intent of ordered) await finishIntent(context, intent);
  return left.length;
}

const isDelete = ({ writes: [first] }: Intent): boolean => first?.kind === 'remove';

/** Does what is not done of an intent; nothing when the entry that it is about is gone. One without writes is withdrawn. */
export async function finishIntent(context: WriteContext, { id, writes }: Intent): Promise<void> {
  for (const [index, write] of writes.entries()) {
    const found = (await isDone(context, write)) ? 1 : await executeNext(context, write);
    const decides = index === 0 && (write.kind === 'insert' || write.kind === 'update');
    if (decides && found === 0) break;
  }
  if (writes.length > 0) await context.versions.raise(writes.map(({ type }) => type.uid));
  await context.intents.remove(id);
}
