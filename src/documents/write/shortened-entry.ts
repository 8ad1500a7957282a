import { hasCode } from '../../errors/app-error.js';
import type { EntryPresenter, LazyEntry } from '../../query/entry-presenter.js';

const SHORTENED = Symbol('shortened');

/**
 * The entry in the response to a write that was done, with its id alone: where the response cannot show the entry,
 * nothing may refuse the write any more.
 */
export const shortenedEntry = (id: number, presenter: EntryPresenter): object =>
  Object.assign(presenter.entry(id, {}) as object, { [SHORTENED]: true });

/** Whether an entry of a response has its id alone, because the rest could not be shown. */
export const isShortened = (entry: unknown): boolean =>
  typeof entry === 'object' && entry !== null && Object.hasOwn(entry, SHORTENED);

/** Whether an entry cannot be shown because it takes too much. */
export const isTooMuch = (error: unknown): boolean => hasCode(error, 'tooCostly', 'answerTooLarge', 'stepTooLarge');

/**
 * Reads the entry for the response to a write that was done; undefined: it takes too much.
 * @throws AppError notFound, unavailable, outOfTime
 */
export async function readWritten(read: () => Promise<LazyEntry>): Promise<LazyEntry | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isTooMuch(error)) return undefined;
    throw error;
  }
}

/** The entry in the response to a write that was done. @param entry undefined: it takes too much */
export function presentWritten(entry: LazyEntry | undefined, id: number, presenter: EntryPresenter): unknown {
  try {
    if (entry !== undefined) return entry(presenter);
  } catch (error) {
    if (!isTooMuch(error)) throw error;
  }
  return shortenedEntry(id, presenter);
}
