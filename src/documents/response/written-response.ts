import { plainEntry, type EntryPresenter } from '../../query/entry-presenter.js';
import { isShortened, shortenedEntry } from '../write/shortened-entry.js';

/**
 * The response to a write that was done. Nothing refuses it any more: if it is too long, it has the ids of the entries
 * alone.
 */
export interface WrittenResponse {
  readonly body: unknown;
  /** In place of a body that is too long. */
  readonly shortened: object;
}

/** The mark of a response that has ids alone. */
const SHORTENED = { shortened: true } as const;

/** The response to a write of one entry, in an envelope. */
export const writtenEntry = (entry: unknown, presenter: EntryPresenter): WrittenResponse => ({
  body: { data: entry, meta: isShortened(entry) ? SHORTENED : {} },
  shortened: { data: idAlone(entry, presenter), meta: SHORTENED },
});

/** The response to the write of several entries. @param presenters of each */
export const writtenEntries = (
  entries: readonly unknown[],
  presenters: readonly EntryPresenter[],
): WrittenResponse => ({
  body: { data: entries, meta: entries.some(isShortened) ? SHORTENED : {} },
  shortened: {
    data: entries.map((entry, index) => idAlone(entry, presenters[index] ?? plainEntry)),
    meta: SHORTENED,
  },
});

/** The response to a write of one entry as a plain record. */
export function writtenRecord(entry: unknown): WrittenResponse {
  const shortened = shortRecord(entry);
  return { body: isShortened(entry) ? shortened : entry, shortened };
}

/** The response to the write of several entries as plain records. */
export const writtenRecords = (entries: readonly unknown[]): WrittenResponse => ({
  body: entries,
  shortened: entries.map(shortRecord),
});

const shortRecord = (entry: unknown): object => ({ ...idAlone(entry, plainEntry), ...SHORTENED });

const idAlone = (entry: unknown, presenter: EntryPresenter): object =>
  shortenedEntry((entry as { readonly id: number }).id, presenter);
