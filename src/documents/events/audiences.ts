import type { EventLog } from '../../mongo/events/event-log.js';
import type { LazyEntry } from '../../query/entry-presenter.js';

/** Code in this process that listens to events: `strapi.eventHub`. */
export interface Listeners {
  wants(name: string): boolean;
  emit(name: string, body: object): void;
}

/** Who learns of writes. */
export interface Audiences {
  readonly log: EventLog;
  readonly listeners: Listeners;
  /** Publishing over the API has an event beside `entry.update`. */
  readonly publication: boolean;
}

/** The event of one write. `record` comes before the write, then either `discard`, or `confirm` and `complete`. */
export interface Announcement {
  readonly isOwn: false;
  /** @param entry as it is before a deletion, or will be after a creation, if that is available */
  record(id: number, written: Date | undefined, entry?: LazyEntry): Promise<void>;
  discard(): Promise<void>;
  /** The write was done: what is read for the response from now on is what the event shows. */
  confirm(): Promise<void>;
  /** @param entry as the response shows it; undefined: it could not be read */
  complete(entry: LazyEntry | undefined): Promise<void>;
}

/** The event of a write that shows what the caller of the documents service makes of the entry. */
export interface OwnAnnouncement extends Omit<Announcement, 'complete' | 'isOwn'> {
  /** The caller completes it. */
  readonly isOwn: true;
  /** @param entry a plain record without private attributes */
  complete(entry: unknown): Promise<void>;
}
