import type { ContentType } from '../../content-types/model/types.js';
import type { EventAction } from '../../mongo/events/stored-events.js';

/**
 * The events of writes in another form, for webhooks that name it in `format`. Delivery, signatures and retries are the
 * same.
 */
export interface EventForm {
  /** What webhooks name it by. */
  readonly name: string;
  /** The events that webhooks can be sent for. */
  readonly events: readonly string[];
  /** What is sent for a write, in this order; empty: nothing. */
  readonly messagesOf: (write: LoggedWrite) => Promise<readonly EventMessage[]>;
}

/** One event of a write. */
export interface EventMessage {
  readonly event: string;
  /** What the body has besides the name and the time of the event. */
  readonly body: object;
}

/** A write as the event log knows it. */
export interface LoggedWrite {
  readonly type: ContentType;
  readonly id: number;
  readonly action: EventAction;
  /** Not the entry was written, but its working copy: it was saved, or discarded by a `delete`. */
  readonly isCopy: boolean;
  /** The names of its events in Strapi v4. Without any, only feeds know of it. */
  readonly names: readonly string[];
  /** The entry is published no longer. */
  readonly isUnpublished: boolean;
  /** The entry as it was written, as clients of Strapi v4 see it; undefined where it is not known. */
  readonly entry: unknown;
  /**
   * A deleted entry with its `documentId`, without what it was related to; undefined: it has none, or is not deleted.
   */
  readonly document: unknown;
}
