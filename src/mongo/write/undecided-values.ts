import type { Document } from 'mongodb';
import { isAbsent, isRecord } from '../../config/record.js';
import type { ContentType } from '../../content-types/model/types.js';
import { isDuplicate } from '../errors.js';
import { entriesOf, LOCK, lockOf, type EntryKey } from '../transactions/format.js';
import { Locked } from '../transactions/wait.js';
import type { WriteParts } from './write-one.js';

type Parts = Pick<WriteParts, 'db' | 'transactions' | 'timeout'>;

/**
 * How often a write is repeated that meets one open transaction after the other, and for want of an entry that has the
 * value.
 */
const [MOST_ATTEMPTS, MOST_WITHOUT_HOLDER] = [10, 2];

interface Writing {
  /**
   * The stored values that the write names at a path: those of errors are of no use if texts are compared by a
   * collation.
   */
  readonly valuesAt?: (path: string) => readonly unknown[];
  /** The document that the write has all others from: a working copy, or what is restored. */
  readonly source?: EntryKey | undefined;
  /** Default: true. */
  readonly isRepeatable?: boolean;
}

/**
 * Executes a write of a type with unique values. A value of which an open transaction decides is no reason to refuse
 * it, as that can be undone: outside of a transaction it waits for the end of the other one, and is repeated.
 * @throws Locked if that takes too long, or at once inside of a transaction or where it cannot be repeated; the errors
 * of the work
 */
export async function whenDecided<T>(
  parts: Parts,
  type: ContentType,
  work: () => Promise<T>,
  writing: Writing = {},
): Promise<T> {
  const { transactions } = parts;
  const own = transactions.current();
  const { isRepeatable = true } = writing;
  let withoutHolder = 0;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const holder = await findHolder(parts, type, error, writing, own?.id);
      if (holder === 'none') throw error;
      // It was undone, or has given up the value.
      const isGone = holder === undefined;
      if (isGone) withoutHolder += 1;
      else if (holder.lockedBy === undefined || holder.lockedBy === own?.id) throw error;
      if (withoutHolder > MOST_WITHOUT_HOLDER) throw error;
      if (own !== undefined || !isRepeatable || attempt === MOST_ATTEMPTS) throw new Locked(true);
      if (!isGone) await transactions.awaitUnlocked([holder.key]);
    }
  }
}

/**
 * Entries with a value at most that are looked at: of each locale, and of each of several written ones, there is one.
 */
const MOST_HOLDERS = 100;

interface Holder {
  readonly key: EntryKey;
  /** The transaction that has created or changed it. */
  readonly lockedBy: string | undefined;
}

/** The entry that has the unique value for which a write was refused; `none` for other errors. */
async function findHolder(
  parts: Parts,
  { collectionName: collection, dialect }: ContentType,
  error: unknown,
  writing: Writing,
  own: string | undefined,
): Promise<Holder | 'none' | undefined> {
  const refused = isDuplicate(error) ? (error['keyValue'] as Document | undefined) : undefined;
  if (refused === undefined) return 'none';
  const { db, timeout: maxTimeMS } = parts;
  const { collation } = dialect;
  const conditions = await Promise.all(
    Object.entries(refused).map(async ([path, value]) => {
      const values = collation === undefined ? [value] : await writtenAt(parts, writing, path);
      return values.length === 0 ? {} : { [path]: { $in: values } };
    }),
  );
  const options = {
    maxTimeMS,
    projection: { [LOCK]: 1 },
    readPreference: 'primary',
    ...(collation && { collation }),
  } as const;
  // Where no value is known, each entry may have it that another transaction has locked: to wait for nothing is better
  // than to refuse for nothing.
  const isAny = conditions.every((condition) => Object.keys(condition).length === 0);
  const filter = isAny ? { [`${LOCK}.by`]: { $exists: true, $ne: own } } : { $and: conditions };
  const found: readonly Document[] = await entriesOf(db, collection)
    .find(filter, options)
    .limit(MOST_HOLDERS)
    .toArray();
  const holders = found.map((entry): Holder => {
    const { by, isNew, changed } = lockOf(entry) ?? {};
    const isWritten = isNew === true || changed === true;
    return { key: { collection, id: Number(entry['_id']) }, lockedBy: isWritten ? by : undefined };
  });
  const locked = holders.find(({ lockedBy }) => lockedBy !== undefined);
  return isAny && locked === undefined ? 'none' : (locked ?? holders[0]);
}

/** The stored values that a write gives its entry at a path, where they are known. */
async function writtenAt(
  { db, timeout: maxTimeMS }: Parts,
  { valuesAt, source }: Writing,
  path: string,
): Promise<readonly unknown[]> {
  const named = valuesAt?.(path) ?? [];
  if (named.length > 0 || source === undefined) return named;
  const { collection, id: _id } = source;
  const options = { maxTimeMS, projection: { [path]: 1 }, readPreference: 'primary' } as const;
  const stored: Document | null = await entriesOf(db, collection).findOne({ _id }, options);
  return valuesAtPath((name) => stored?.[name] as unknown, path);
}

/** The values at a path of a document, through lists. */
export function valuesAtPath(get: (name: string) => unknown, path: string): readonly unknown[] {
  const [first = '', ...others] = path.split('.');
  let values: readonly unknown[] = [get(first)].flat();
  for (const name of others) values = values.flatMap((value) => (isRecord(value) ? value[name] : []));
  return values.filter((value) => !isAbsent(value));
}
