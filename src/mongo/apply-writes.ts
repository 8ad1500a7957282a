import type { Registry } from '../content-types/types.js';
import type { Write, WriteKind } from '../query/write.js';
import { executeWrite, type WriteParts } from './execute-write.js';
import type { Intents } from './intents.js';
import { duplicateOf } from './translate-error.js';
import type { Versions } from './versions.js';

export interface WriteContext extends WriteParts {
  readonly intents: Intents;
  readonly versions: Versions;
}

/** Writes to one entry: what goes with them makes sense only if the entry is there. */
const decisive = new Set<WriteKind>(['insert', 'update', 'remove']);

/**
 * Applies writes so that all of them happen, or none. The first decides: when it fails, or finds no entry that it is
 * about, the rest is not begun. One write needs no more; several are recorded as an intent first, which outlives a crash.
 * Gives how many entries the first write found.
 * @throws the driver's error of the first write, see `duplicateOf`
 */
export async function applyWrites(context: WriteContext, writes: readonly Write[]): Promise<number> {
  const [first, ...rest] = writes;
  if (first === undefined) return 0;
  const { intents, versions } = context;
  if (rest.length === 0) {
    const found = await executeWrite(context, first);
    await versions.raise([first.type.uid]);
    return found;
  }
  const intent = await intents.record(writes);
  const found = await executeFirst(context, first, intent);
  if (found > 0 || !decisive.has(first.kind)) for (const write of rest) await executeNext(context, write);
  await versions.raise([...new Set(writes.map(({ type }) => type.uid))]);
  await intents.remove(intent);
  return found;
}

async function executeFirst(context: WriteContext, first: Write, intent: string): Promise<number> {
  try {
    return await executeWrite(context, first);
  } catch (error) {
    await context.intents.remove(intent);
    throw error;
  }
}

/**
 * A write that another entry's unique value came in the way of can never be done: it must not keep the others from it.
 * Gives whether it was done.
 */
async function executeNext(parts: WriteParts, write: Write, repeated = false): Promise<boolean> {
  try {
    await executeWrite(parts, write, repeated);
    return true;
  } catch (error) {
    if (duplicateOf(error) === undefined) throw error;
    return false;
  }
}

/** Finishes the intents that were left behind for longer than so many milliseconds; gives how many. */
export async function finishIntents(context: WriteContext, registry: Registry, olderThan: number): Promise<number> {
  const { intents, versions } = context;
  const left = await intents.left(registry, olderThan);
  for (const { id, writes } of left) {
    const [first, ...rest] = writes;
    const begun = first !== undefined && (await executeNext(context, first, true));
    for (const write of begun ? rest : []) await executeNext(context, write, true);
    await versions.raise(writes.map(({ type }) => type.uid));
    await intents.remove(id);
  }
  return left.length;
}
