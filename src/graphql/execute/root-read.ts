import type { Documents } from '../../documents/documents.js';
import type { Presentation, Read } from '../../documents/read-operation.js';
import type { ReadContext } from '../../documents/request-context.js';
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
  readonly requested: Read | undefined;
  readonly #start: () => Reading;
  #reading: Reading | undefined;

  constructor(requested: Read | undefined, start: () => Reading) {
    this.requested = requested;
    this.#start = start;
  }

  read(): Reading {
    this.#reading ??= this.#start();
    return this.#reading;
  }
}

/** @param valueFrom turns the result into the value of the field */
export const rootRead = <T>(
  documents: Pick<Documents, 'read'>,
  requested: Read,
  request: ReadContext,
  { presenter, present }: Presentation<T>,
  valueFrom: (result: Promise<T>) => Promise<unknown>,
): RootRead =>
  new RootRead(request.previewed === true ? undefined : requested, () => {
    const result = documents.read(requested, request, {
      presenter,
      present: (page, query) => ({ value: present(page, query), ids: page.ids }),
    });
    return {
      value: valueFrom(result.then(({ value }) => value)),
      ids: result.then(
        ({ ids }) => ids,
        () => undefined,
      ),
    };
  });

/** The value of a field of Query that may have to be read. */
export const valueOf = (prepared: unknown): unknown =>
  prepared instanceof RootRead ? prepared.read().value : prepared;
