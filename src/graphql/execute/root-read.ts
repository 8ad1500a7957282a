import type { PreparedRead } from '../../documents/documents.js';
import type { Query } from '../../query/ast.js';

/** A field of Query whose caller and arguments are checked; it is read at most once. */
export class RootRead {
  /** What determines the value; undefined if it must not be cached. */
  readonly query: Query | undefined;
  readonly #start: () => Promise<unknown>;
  #value: Promise<unknown> | undefined;

  constructor(query: Query | undefined, start: () => Promise<unknown>) {
    this.query = query;
    this.#start = start;
  }

  read(): Promise<unknown> {
    this.#value ??= this.#start();
    return this.#value;
  }
}

/** @param present turns the result into the value of the field */
export const rootRead = <T>(
  { query, read }: PreparedRead<T>,
  present: (read: () => Promise<T>) => Promise<unknown>,
): RootRead => new RootRead(query, () => present(read));

/** The value of a field of Query that may have to be read. */
export const valueOf = (prepared: unknown): unknown => (prepared instanceof RootRead ? prepared.read() : prepared);
