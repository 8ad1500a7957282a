import type { BytesRead } from '../mongo/read/read-batch.js';
import type { EntryPresenter } from '../query/entry-presenter.js';
import type { Caller } from './caller.js';

/** The caller of a request, and how long the result is needed. */
export interface RequestContext {
  readonly caller: Caller;
  /** Aborted when the client disconnects: reads for it are cancelled. Undefined: they are not. */
  readonly signal?: AbortSignal | undefined;
  /** The bytes that were read for the response. */
  readonly bytesRead?: BytesRead | undefined;
}

export interface ReadContext extends RequestContext {
  /** Nothing is decided by the result: it may be stale if MONGODB_URI has a `readPreference`. */
  readonly mayLag?: boolean;
  /** A signed preview link names the entry that is read: it is shown as a draft too. */
  readonly previewed?: boolean;
}

/** Whom a read is for, and in which form, if its result is only sent to the client. */
export const forRead = ({ caller, signal, bytesRead }: RequestContext, presenter: EntryPresenter) =>
  ({ caller, signal, bytesRead, presenter, mayLag: true }) as const;
