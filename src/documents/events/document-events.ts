import type { ContentType } from '../../content-types/model/types.js';
import type { EventAction } from '../../mongo/events/stored-events.js';
import { createEventViewer } from '../changes/view-events.js';
import type { DocumentsContext } from '../context.js';
import { afterCommit } from '../write/finish-write.js';
import { announceOwn } from './announcement.js';
import type { OwnAnnouncement } from './audiences.js';
import { eventNames } from './event-names.js';

export const openDocumentEvents = (context: DocumentsContext) => ({
  /** The entries of events on a type, as a query on the type shows them. */
  view: createEventViewer(context),
  /** The event for a write with the option `event`: the caller creates its content and completes it; undefined if it is not recorded. */
  announce: (
    type: ContentType,
    action: EventAction,
    names: readonly string[] = eventNames(type, action),
  ): OwnAnnouncement | undefined =>
    completedLater(context.store, announceOwn(context.audiences, { type, action, names })),
});

/** Inside a transaction, an event is completed after the commit. */
const completedLater = (
  store: DocumentsContext['store'],
  announcement: OwnAnnouncement | undefined,
): OwnAnnouncement | undefined =>
  announcement && { ...announcement, complete: (entry) => afterCommit(store, () => announcement.complete(entry)) };
