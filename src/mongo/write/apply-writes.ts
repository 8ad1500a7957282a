import { randomUUID } from 'node:crypto';
import { AppError } from '../../errors/app-error.js';
import type { Write } from '../../query/mutation.js';
import { executeWrite } from './execute-write.js';
import { executeUnlessTaken, isPrimary, type WriteContext } from './finish-intents.js';
import type { Intent } from './intents.js';
import { isRefusal } from '../errors.js';
import type { PendingIntents } from './pending-intents.js';

/** Writes that wait until something is done, and what is done once all are, while other processes are told of them. */
export interface Later {
  readonly writes: readonly Write[];
  readonly before: () => Promise<void>;
  readonly meanwhile: () => Promise<void>;
}

const nothingLater: Later = { writes: [], before: () => Promise.resolve(), meanwhile: () => Promise.resolve() };

type LiveContext = WriteContext & { readonly unfinished: PendingIntents };

/**
 * Applies writes so that all of them happen, or none. The first decides: when it is refused, or finds no entry that it
 * is about, the rest is not begun. One write needs no more; several are recorded as an intent first, which outlives a
 * crash: what an error interrupted is finished before anything else is written, if its first write was done.
 * Gives how many entries the first write found.
 * @param later further writes, what is done before them, and after all
 * @throws the driver's error of the first write, see `duplicateOf`; when all else is done, that of a later one
 */
export async function applyWrites(
  context: LiveContext,
  soon: readonly Write[],
  later: Later = nothingLater,
): Promise<number> {
  const writes = [...soon, ...later.writes];
  const [first, ...rest] = writes;
  if (first === undefined) return 0;
  const { versions, unfinished } = context;
  const types = [...new Set(writes.map(({ type }) => type.uid))];
  const finish = (): Promise<unknown> => Promise.all([versions.raise(types), later.meanwhile()]);
  await unfinished.settle();
  try {
    if (rest.length > 0) return await applyAll(context, soon.length, { first, writes, before: later.before, finish });
    const found = await executeWrite(context, first);
    await finish();
    return found;
  } catch (error) {
    // It may have been done all the same. Who waits for the answer need not wait for this.
    if (!isRefusal(error)) void versions.raise(types).catch(() => undefined);
    throw error;
  }
}

interface Steps {
  readonly first: Write;
  readonly writes: readonly Write[];
  readonly before: Later['before'];
  readonly finish: () => Promise<unknown>;
}

async function applyAll(context: LiveContext, soon: number, { first, writes, before, finish }: Steps): Promise<number> {
  const { intents, unfinished } = context;
  const intent: Intent = { id: randomUUID(), writes };
  await intents.record(intent).catch((error: unknown) => {
    // It may be there all the same.
    if (!isRefusal(error)) unfinished.withdraw(intent.id);
    throw error;
  });
  const found = await executeFirst(context, first, intent);
  const errors: unknown[] = [];
  try {
    for (const [index, write] of writes.entries()) {
      if (found === 0 && isPrimary(first)) break;
      if (index === soon && errors.length === 0) await before().catch((error: unknown) => errors.push(error));
      if (index === 0) continue;
      // Who was cut off for long was taken for dead: then another process does the rest.
      if (!(await intents.keep(intent.id))) throw new AppError('unavailable');
      await executeUnlessTaken(context, write).catch((error: unknown) => {
        if (!isRefusal(error)) throw error;
        errors.push(error);
      });
    }
    await finish();
    const refused = errors.find(isRefusal);
    if (refused !== undefined) {
      await intents.fail(intent.id, refused);
      context.tellRefused({ id: intent.id, tries: 1, error: refused });
    }
    // Whoever found the entry may link to it only now, and die before looking again: it is forgotten once more later.
    else await (first.kind === 'remove' ? intents.settle(intent.id) : intents.remove(intent.id));
  } catch (error) {
    leave(context, intent);
    throw error;
  }
  if (errors.length > 0) throw errors[0];
  return found;
}

/** A write that is refused was not done; after other errors it may have been, or may still be. */
async function executeFirst(context: LiveContext, first: Write, intent: Intent): Promise<number> {
  const { intents, unfinished } = context;
  try {
    return await executeWrite(context, first);
  } catch (error) {
    if (!isRefusal(error)) leave(context, intent);
    else await intents.remove(intent.id).catch(() => unfinished.withdraw(intent.id));
    throw error;
  }
}

/** Other processes may finish it as well, when this one does not. */
function leave({ intents, unfinished }: LiveContext, intent: Intent): void {
  intents.release(intent.id);
  unfinished.add(intent);
}
