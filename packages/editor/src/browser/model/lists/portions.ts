import type { Issue } from '../rules.js';
import type { Refusal } from './bulk.js';

interface Item {
  readonly id: number;
}

/** Work on many entries, a portion of them at a time: others write between the portions. */
export interface PortionedWork<T extends Item, R> {
  readonly items: readonly T[];
  /** How many are written together. */
  readonly size: number;
  /** Those of a portion that are still to be written, as they are now. */
  readonly current: (portion: readonly T[]) => Promise<readonly T[]>;
  /** Writes all of them in this order, or throws and has written none. */
  readonly write: (portion: readonly T[]) => Promise<readonly R[]>;
  /** Why these were refused; undefined: nothing can be written at present. */
  readonly refusalsOf: (error: unknown) => readonly Refusal[] | undefined;
  readonly isStopped: () => boolean;
  /** Called with the number of entries that need nothing any more. */
  readonly onProgress: (ended: number) => void;
}

export interface Written<T, R> {
  /** As it was before. */
  readonly item: T;
  readonly result: R;
}

export interface RefusedItem<T> {
  readonly item: T;
  readonly issues: readonly Issue[];
}

/** What became of the work. */
export interface Outcome<T, R> {
  readonly written: readonly Written<T, R>[];
  readonly refused: readonly RefusedItem<T>[];
  /** They needed no write any more. */
  readonly skipped: number;
  /** What was not reached before the work was stopped, or could not go on. */
  readonly left: readonly T[];
  /** Why it could not go on. */
  readonly error?: unknown;
}

/**
 * Writes all entries of each portion but those that are refused. Where a refusal names entries, the others are written
 * without them; otherwise the halves are, until it is clear which entry it is about.
 */
export async function writeInPortions<T extends Item, R>(work: PortionedWork<T, R>): Promise<Outcome<T, R>> {
  const { items, size, current, isStopped, onProgress } = work;
  const written: Written<T, R>[] = [];
  const refused: RefusedItem<T>[] = [];
  let skipped = 0;
  const write = async (portion: readonly T[]): Promise<void> => {
    if (portion.length === 0 || isStopped()) return;
    try {
      const results = await work.write(portion);
      written.push(...results.flatMap((result, index) => withItem(portion[index], result)));
    } catch (error) {
      const refusals = work.refusalsOf(error);
      if (refusals === undefined) throw error;
      const named = portion.filter((_, index) => refusals.some((refusal) => refusal.index === index));
      const [only] = portion;
      if (portion.length === 1 && only !== undefined) {
        refused.push({ item: only, issues: refusals.map(({ issue }) => issue) });
      } else if (named.length > 0) {
        for (const item of named) refused.push({ item, issues: issuesOf(refusals, portion.indexOf(item)) });
        await write(portion.filter((item) => !named.includes(item)));
      } else {
        const middle = Math.ceil(portion.length / 2);
        await write(portion.slice(0, middle));
        await write(portion.slice(middle));
      }
    }
  };
  const leave = (start: number, present: readonly T[], error?: unknown): Outcome<T, R> => {
    const ended = new Set([...written, ...refused].map(({ item }) => item.id));
    const left = [...present, ...items.slice(start)].filter(({ id }) => !ended.has(id));
    return { written, refused, skipped, left, ...(error !== undefined && { error }) };
  };
  for (let start = 0; start < items.length; start += size) {
    if (isStopped()) return leave(start, []);
    const portion = items.slice(start, start + size);
    let present: readonly T[] = portion;
    try {
      present = await current(portion);
      skipped += portion.length - present.length;
      await write(present);
    } catch (error) {
      return leave(start + size, present, error);
    }
    if (isStopped()) return leave(start + size, present);
    onProgress(start + portion.length);
  }
  return { written, refused, skipped, left: [] };
}

const withItem = <T, R>(item: T | undefined, result: R): readonly Written<T, R>[] =>
  item === undefined ? [] : [{ item, result }];

const issuesOf = (refusals: readonly Refusal[], index: number): readonly Issue[] =>
  refusals.filter((refusal) => refusal.index === index).map(({ issue }) => issue);
