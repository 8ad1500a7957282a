import type { AnyBulkWriteOperation, Collection, Db, Document } from 'mongodb';
import { AppError } from '../../errors/app-error.js';
import type { Changes, Mark, Write } from '../../query/mutation.js';
import { compileRecoveryStep } from '../compile/write/recovery-step.js';
import { refusedIfPending } from '../compile/write/marks.js';
import { compileWrite, type WriteCommand } from '../compile/write/write.js';
import { refusedInBulk } from './refused-in-bulk.js';
import type { Entry, Insert, PrepareEvent } from './insert-batcher.js';
import { DUPLICATE_KEY, duplicateOf } from '../errors.js';

/** The dependencies for executing writes. */
export interface WriteParts {
  readonly db: Db;
  readonly insert: Insert;
  /** Maximum time of a command, in milliseconds. */
  readonly timeout: number;
}

/** Options of a primary write. */
export interface PrimaryOptions {
  /** An entry that does not match it is not found. */
  readonly condition?: Document | undefined;
  /** The event of a new entry. */
  readonly prepareEvent?: PrepareEvent | undefined;
  /** The database refuses an update of an entry about whose batch it is not decided; see `executeDecided`. */
  readonly onlyDecided?: boolean;
}

/** A write to one entry: its dependants apply only if it was executed. */
export type PrimaryWrite = Write & { readonly kind: 'insert' | 'update' | 'remove' };

export const isPrimary = (write: Write): write is PrimaryWrite =>
  write.kind === 'insert' || write.kind === 'update' || write.kind === 'remove';

/**
 * Executes one write. Returns how many entries it found: 0 for an update or removal of an entry that does not exist.
 * @throws the driver's error, see `duplicateOf`
 */
export const executeWrite = (
  { insert, ...parts }: WriteParts,
  write: Write,
  { condition, prepareEvent, onlyDecided = false }: PrimaryOptions = {},
): Promise<number> =>
  executeCommands(
    { ...parts, insert: (collection, entry) => insert(collection, entry, prepareEvent) },
    write,
    compileWrite(write).map((command) => {
      const restricted = condition === undefined ? command : onlyWhere(command, condition);
      return onlyDecided ? decidedOnly(restricted) : restricted;
    }),
  );

const onlyWhere = (command: WriteCommand, condition: Document): WriteCommand =>
  command.kind === 'update' || command.kind === 'remove'
    ? { ...command, filter: { $and: [command.filter, condition] } }
    : command;

const decidedOnly = (command: WriteCommand): WriteCommand =>
  command.kind === 'update' ? { ...command, update: refusedIfPending(command.update) } : command;

/**
 * Executes a write that is not the primary one of its intent. One that a unique value of another entry prevents can never
 * be done: it must not stop the others. Returns how many entries it found.
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
 * Executes updates that do not depend on each other, with one command per collection; see `executeUnlessTaken`.
 * @throws the error of an update that was refused for another reason than a unique value, or AppError unavailable
 */
export async function executeTogether(parts: WriteParts, writes: readonly Write[]): Promise<void> {
  for (const name of new Set(writes.map(({ type }) => type.collectionName))) {
    const operations = writes
      .filter(({ type }) => type.collectionName === name)
      .flatMap(compileWrite)
      .map(operationOf);
    await updateMany(parts.db.collection<Entry>(name), operations, parts.timeout);
  }
}

/** Executes a dependant of an abandoned intent where nothing newer is stored. */
export const executeRecoveryStep = (parts: WriteParts, write: Write, since: Date): Promise<number> =>
  executeCommands(parts, write, compileRecoveryStep(write, since));

async function executeCommands(parts: WriteParts, { type }: Write, commands: readonly WriteCommand[]): Promise<number> {
  const collection = parts.db.collection<Entry>(type.collectionName);
  const [first, ...rest] = commands;
  if (first === undefined) return 0;
  return rest.length === 0
    ? executeCommand(collectionOf(parts.db, first) ?? collection, first, parts)
    : updateMany(collection, commands.map(operationOf), parts.timeout);
}

const collectionOf = (db: Db, command: WriteCommand): Collection<Entry> | undefined =>
  command.kind === 'merge' && command.from !== undefined ? db.collection(command.from) : undefined;

/** Updates that are sent together. */
const BATCH = 1000;

/**
 * Executes updates independently: a refused one does not stop the others.
 * @throws the error of an update that was refused for another reason than a unique value; see `executeUnlessTaken`
 */
async function updateMany(
  collection: Collection<Entry>,
  updates: readonly AnyBulkWriteOperation<Entry>[],
  maxTimeMS: number,
): Promise<number> {
  let matched = 0;
  let refusal: unknown;
  for (let start = 0; start < updates.length; start += BATCH) {
    try {
      const batch = updates.slice(start, start + BATCH);
      matched += (await collection.bulkWrite(batch, { ordered: false, maxTimeMS })).matchedCount;
    } catch (error) {
      const { refused, confirmed } = refusedInBulk(error);
      if (!confirmed) throw new AppError('unavailable');
      if ([...refused.values()].some(({ code }) => code !== DUPLICATE_KEY)) refusal = error;
    }
  }
  if (refusal !== undefined) throw refusal;
  return matched;
}

function operationOf(command: WriteCommand): AnyBulkWriteOperation<Entry> {
  if (command.kind !== 'update') throw new Error(`${command.kind} cannot be part of a bulk`);
  const { filter, many } = command;
  const update = changeOf(command);
  return many ? { updateMany: { filter, update } } : { updateOne: { filter, update } };
}

const changeOf = ({ update }: WriteCommand & { kind: 'update' }): Document | Document[] =>
  Array.isArray(update) ? (update as Document[]) : update;

async function executeCommand(
  collection: Collection<Entry>,
  command: WriteCommand,
  { insert, timeout: maxTimeMS }: WriteParts,
): Promise<number> {
  switch (command.kind) {
    case 'insert': {
      await insert(collection.collectionName, command.document as Entry);
      return 1;
    }
    case 'update': {
      const { filter, many } = command;
      const change = changeOf(command);
      if (Object.keys(change).length === 0) return collection.countDocuments(filter, { maxTimeMS });
      const { matchedCount } = await (many
        ? collection.updateMany(filter, change, { maxTimeMS })
        : collection.updateOne(filter, change, { maxTimeMS }));
      return matchedCount;
    }
    case 'remove':
      return (await collection.deleteOne(command.filter, { maxTimeMS })).deletedCount;
    case 'merge':
      // Another member of a replica set might not have the links yet.
      await collection.aggregate([...command.pipeline], { maxTimeMS, readPreference: 'primary' }).toArray();
      return 0;
    default:
      return command satisfies never;
  }
}

/** Whether the primary write of an intent was applied, and whether its entry was written later. */
export type Progress =
  | 'not done'
  /** An insert or update was done. */
  | 'done'
  /** The entry was written later, and does not show whether the write was done. */
  | 'written since'
  /** A removal was done, or no primary write decides: nothing later can change it. */
  | 'final';

/** Was the first write of an intent done? The entry has its marks, and the time of the last write; ids are never reused. */
export async function progressOf({ db, timeout: maxTimeMS }: WriteParts, write: Write): Promise<Progress> {
  if (!isPrimary(write)) return 'final';
  const collection = db.collection<Entry>(write.type.collectionName);
  const stored = await collection.findOne({ _id: write.id }, { projection: { updatedAt: 1, _marks: 1 }, maxTimeMS });
  if (write.kind === 'remove') return stored === null ? 'final' : 'not done';
  if (stored === null) return 'not done';
  if (write.kind === 'insert' || hasMarks(stored, write.changes)) return 'done';
  const [written, current] = [write.changes.values.get('updatedAt'), stored['updatedAt'] as unknown];
  if (!(written instanceof Date) || !(current instanceof Date)) return 'not done';
  if (current > written) return 'written since';
  return current.getTime() === written.getTime() ? 'done' : 'not done';
}

const hasMarks = ({ _marks: stored }: Document, { marks = [] }: Changes): boolean =>
  marks.some(({ a, n }) => (stored as readonly Mark[] | undefined)?.some((mark) => mark.a === a && mark.n === n));
