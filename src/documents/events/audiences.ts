import type { EventLog } from '../../mongo/events/event-log.js';
import type { LazyEntry } from '../../query/entry-presenter.js';

/** Code in this process that listens to events: `strapi.eventHub`. */
export interface Listeners {
  wants(name: string): boolean;
  tell(name: string, body: object): void;
}

export const noListeners: Listeners = { wants: () => false, tell: () => undefined };

export interface Audiences {
  readonly log: EventLog;
  readonly listeners: Listeners;
  /** Publishing over the API has another event in addition to `entry.update`. */
  readonly publication: boolean;
}

/** The event of one write. Call `record` before the write, then either `discard`, or `confirm` and `complete`. */
export interface Announcement {
  /** @param entry the entry before a deletion or after a creation, if available */
  record(id: number, written: Date | undefined, entry?: LazyEntry): Promise<void>;
  discard(): Promise<void>;
  /** To be called after the write: the event contains the entry that is read for the response after this. */
  confirm(): Promise<void>;
  /** @param entry as the response shows it; undefined: it could not be read */
  complete(entry: LazyEntry | undefined): Promise<void>;
}

/** The event of a write that the caller of the documents service completes, with the entry as it presents it. */
export interface OwnAnnouncement extends Omit<Announcement, 'complete'> {
  /** @param entry a plain record without private attributes */
  complete(entry: unknown): Promise<void>;
}
