import type { ContentType } from '../../content-types/model/types.js';
import type { EventAction } from '../../mongo/events/stored-events.js';
import { createEventViewer, type ViewEvents } from '../changes/view-events.js';
import type { DocumentsContext } from '../context.js';
import { afterCommit } from '../write/finish-write.js';
import { announceOwn } from './announcement.js';
import type { OwnAnnouncement } from './audiences.js';
import { eventNames } from './event-names.js';

export interface DocumentEvents {
  /** The entries of events on a type, as a query on the type shows them. */
  readonly view: ViewEvents;
  /** The event for a write with the option `event`: the caller creates its content and completes it; undefined if it is not recorded. */
  announce(type: ContentType, action: EventAction, names?: readonly string[]): OwnAnnouncement | undefined;
}

export const openDocumentEvents = (context: DocumentsContext): DocumentEvents => ({
  view: createEventViewer(context),
  announce: (type, action, names = eventNames(type, action)) =>
    completedLater(context.store, announceOwn(context.audiences, { type, action, names })),
});

/** Inside a transaction, an event is completed after the commit. */
const completedLater = (
  store: DocumentsContext['store'],
  announcement: OwnAnnouncement | undefined,
): OwnAnnouncement | undefined =>
  announcement && { ...announcement, complete: (entry) => afterCommit(store, () => announcement.complete(entry)) };
