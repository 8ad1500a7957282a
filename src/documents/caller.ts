import type { EventEmitter } from 'node:events';
import type { Receiver } from '../mongo/read/cancel-on-disconnect.js';
import type { ReadCount } from '../mongo/read-budget.js';

/** Who asks, with their rights loaded: whatever is decided about them later needs no look-up. */
export interface Caller {
  readonly kind: 'public' | 'user' | 'token' | 'system';
  /** May they do this? Actions are named as in Strapi v4, e.g. `api::article.article.find`. */
  readonly may: (action: string) => boolean;
  /** Of a user: their id. */
  readonly user?: number;
  /** What is known of a user, with their role, or of a token, for the owner's code: nothing that is secret. */
  readonly credentials?: Readonly<Record<string, unknown>>;
  /** Who has the answer of the request at hand; when they have gone, what is read for it ends. */
  readonly recipient?: Receiver;
  /** What was read for that answer. */
  readonly bytesRead?: ReadCount;
  /** What is read may be behind, where MONGODB_URI has a `readPreference`: nothing is decided by it. */
  readonly mayLag?: boolean;
}

/** The same caller, for a read that nothing else follows from. */
export const forRead = (caller: Caller): Caller => ({ ...caller, mayLag: true });

/** The same caller, as the one who gets this answer. Many reads may be made for it at once. */
export const withReceiver = (caller: Caller, answer: Receiver & Pick<EventEmitter, 'setMaxListeners'>): Caller => {
  answer.setMaxListeners(0);
  return { ...caller, recipient: answer, bytesRead: { bytes: 0 } };
};

/** Our own code: may do everything. */
export const system: Caller = { kind: 'system', may: () => true };

/** Nobody that anyone knows: may do nothing. */
export const anonymous: Caller = { kind: 'public', may: () => false };
