import { setTimeout as wait } from 'node:timers/promises';
import type { Document } from 'mongodb';
import type { ContentType } from '../../../content-types/model/types.js';
import { AppError } from '../../../errors/app-error.js';
import type { Write } from '../../../query/mutation.js';
import { mayBePending, PENDING } from '../../compile/write/marks.js';
import type { FoundTargets, Missing } from '../../read/missing-targets.js';
import { executeWrite, type PrimaryOptions, type WriteParts } from '../execute-write.js';
import type { Intents } from '../intents.js';

/** Other requests change the entry at the same time. */
export class Conflict extends AppError<'conflict'> {
  constructor() {
    super('conflict', 'Other requests change the entry at the same time');
  }
}

interface Context extends WriteParts {
  readonly intents: Pick<Intents, 'arePending'>;
}

/** Milliseconds between looks for the decision about a batch. */
const PAUSES = [10, 20, 40, 80, 160];

/** Waits until the batches with these marks are decided, and undone if they have to be, or finished. @throws Conflict after a while: a process may have died */
export async function awaitDecisions(intents: Context['intents'], marks: readonly number[]): Promise<void> {
  if (marks.length === 0) return;
  for (const milliseconds of PAUSES) {
    if (!(await intents.arePending(marks))) return;
    await wait(milliseconds);
  }
  if (await intents.arePending(marks)) throw new Conflict();
}

/** The targets that are missing, once it is decided about the batches that have written others. @throws Conflict after a while */
export async function findDecided(
  intents: Context['intents'],
  find: () => Promise<Pick<FoundTargets, 'missing' | 'pending'>>,
): Promise<Missing> {
  const { missing, pending } = await find();
  if (pending.length === 0) return missing;
  await awaitDecisions(intents, pending);
  return (await find()).missing;
}

/** Attempts of a write to an entry that several batches write. */
const ATTEMPTS = 10;

/**
 * Executes the primary write of a single request. What a batch has written before its decision may be undone, and this write with it; and what the
 * batch writes after that would replace it. So it waits until the entry is free.
 * @throws Conflict if that takes too long: nothing was written
 */
export async function executeDecided(context: Context, write: Write, options: PrimaryOptions): Promise<number> {
  const { kind, type } = write;
  if (kind !== 'update' && kind !== 'remove') return executeWrite(context, write, options);
  const { condition = {} } = options;
  const free =
    kind === 'remove' ? { ...options, condition: { $and: [condition, decided] } } : { ...options, onlyDecided: true };
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    try {
      const matched = await executeWrite(context, write, free);
      if (matched > 0 || kind === 'update') return matched;
      if ((await awaitEntries(context, type, [write.id], condition)).length === 0) return 0;
    } catch (error) {
      if (!mayBePending(error)) throw error;
      const pending = await awaitEntries(context, type, [write.id], { [PENDING]: { $exists: true } });
      if (pending.length === 0 && attempt === ATTEMPTS) throw error;
    }
  }
  throw new Conflict();
}

/** A condition: no batch writes it. */
export const decided: Document = { [PENDING]: null };

/**
 * Waits until it is decided about all batches that have written these entries. Returns the ids of those that match the condition.
 * @throws Conflict after a while
 */
export async function awaitEntries(
  context: Context,
  type: ContentType,
  ids: readonly number[],
  condition: Document,
): Promise<readonly number[]> {
  const { db, timeout: maxTimeMS, intents } = context;
  const filter = { $and: [{ _id: { $in: [...ids] } }, condition] };
  const options = { projection: { [PENDING]: 1 }, maxTimeMS, readPreference: 'primary' } as const;
  const stored = await db.collection<{ _id: number }>(type.collectionName).find(filter, options).toArray();
  const marks = [...new Set(stored.flatMap(pendingIn))];
  await awaitDecisions(intents, marks);
  for (const mark of marks) await markDecided(context, type, ids, mark);
  return stored.map(({ _id }) => _id);
}

/** Takes the mark of a batch that is decided from its entries. */
export async function markDecided(
  { db, timeout: maxTimeMS }: WriteParts,
  { collectionName }: ContentType,
  ids: readonly number[],
  mark: number,
): Promise<void> {
  const filter = { _id: { $in: [...ids] }, [PENDING]: mark };
  await db.collection<{ _id: number }>(collectionName).updateMany(filter, { $unset: { [PENDING]: '' } }, { maxTimeMS });
}

/** The number of the batch that writes an entry, see `PENDING`; numbers may keep their types. */
export const pendingIn = ({ [PENDING]: mark }: Document): readonly number[] =>
  mark === undefined ? [] : [Number(mark)];
