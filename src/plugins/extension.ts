import type { Registry } from '../content-types/types.js';
import type { Documents } from '../documents/documents.js';
import type { Entries } from '../documents/entries.js';
import type { Log } from '../mongo/database.js';

/** What an owner's code is given. */
export interface ExtensionContext {
  readonly registry: Registry;
  readonly documents: Documents;
  readonly entries: Entries;
  readonly log: Log;
}

/** An owner's own code. */
export interface Extension {
  /** Runs at every start, before the first request. */
  readonly bootstrap?: (context: ExtensionContext) => Promise<void> | void;
}
