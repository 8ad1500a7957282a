import type { Insert } from '../write/insert-batcher.js';
import type { EntryQueue } from './entry-queue.js';
import type { Heartbeat } from './heartbeat.js';
import type { Settling, SettlingOptions } from './settle.js';

/** What the transactions of a process share. */
export interface TransactionParts extends SettlingOptions {
  readonly patience: number;
  readonly queue: EntryQueue;
  readonly settling: Settling;
  readonly heartbeat: Heartbeat;
  readonly insert: Insert;
  /** Called once for each transaction, when it is neither open nor failed any more. */
  readonly ended: () => void;
}
