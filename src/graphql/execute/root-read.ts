import type { PreparedRead } from '../../documents/documents.js';
import type { Query } from '../../query/ast.js';
import type { EntryIds } from '../../query/change.js';

/** A read that was started. */
interface Reading {
  readonly value: Promise<unknown>;
  /** Those of all entries that were read; undefined: any. */
  readonly ids: Promise<(() => EntryIds) | undefined>;
}

/** A field of Query whose caller and arguments are checked; it is read at most once. */
export class RootRead {
  /** What determines the value; undefined if it must not be cached. */
  readonly query: Query | undefined;
  readonly #start: () => Reading;
  #reading: Reading | undefined;

  constructor(query: Query | undefined, start: () => Reading) {
    this.query = query;
    this.#start = start;
  }

  read(): Reading {
    this.#reading ??= this.#start();
    return this.#reading;
  }
}

/** @param present turns the result into the value of the field */
export const rootRead = <T>(
  { query, read }: PreparedRead<T>,
  present: (result: Promise<T>) => Promise<unknown>,
): RootRead =>
  new RootRead(query, () => {
    const result = read();
    return {
      value: present(result.then(({ value }) => value)),
      ids: result.then(
        ({ ids }) => ids,
        () => undefined,
      ),
    };
  });

/** The value of a field of Query that may have to be read. */
export const valueOf = (prepared: unknown): unknown =>
  prepared instanceof RootRead ? prepared.read().value : prepared;
