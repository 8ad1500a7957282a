import type { EventForm, EventMessage, FormContext, LoggedWrite } from 'content-service/content-api';
import { isRecord } from 'content-service/plugin';
import type { Status } from '../status.js';
import { createReadDocument } from './read-document.js';

const FILES = 'plugin::upload.file';
/** Its writes have no events of entries there. */
const FOLDERS = 'plugin::upload.folder';

/** The events of Strapi 5, with the entry as each has it. */
const entryEvents = {
  create: 'entry.create',
  update: 'entry.update',
  delete: 'entry.delete',
  publish: 'entry.publish',
  unpublish: 'entry.unpublish',
  discard: 'entry.draft-discard',
} as const;

const mediaEvents = { create: 'media.create', update: 'media.update', delete: 'media.delete' } as const;

/**
 * Events as webhooks of Strapi 5 get them (its sources, 5.54): the draft is created and updated, and what is published
 * has an event of its own.
 */
export const createEventForm = (context: Pick<FormContext, 'documents' | 'limits'>): EventForm => {
  const readDocument = createReadDocument(context);
  return {
    name: '5',
    events: [...Object.values(entryEvents), ...Object.values(mediaEvents)],
    messagesOf: async (write) => {
      const { type, action, isCopy, names } = write;
      if ((names.length === 0 && !isCopy) || type.uid === FOLDERS) return [];
      const isFile = type.uid === FILES;
      if (action === 'delete' && !isCopy) return deleted(write, isFile);
      if (isFile) {
        const media = await readDocument(write, 'published', 'flat');
        return media === undefined ? [] : [{ event: mediaEvents[action], body: { media } }];
      }
      const read = (event: keyof typeof entryEvents, status: Status) => async (): Promise<readonly EventMessage[]> => {
        const entry = await readDocument(write, status, event === 'unpublish' ? 'flat' : 'populated');
        return entry === undefined ? [] : [entryMessage(write, entryEvents[event], entry)];
      };
      if (isCopy) return read(action === 'delete' ? 'discard' : 'update', 'draft')();
      const isNew = action === 'create';
      if (!type.draftAndPublish) return read(isNew ? 'create' : 'update', 'published')();
      if (write.isUnpublished) return read('unpublish', 'draft')();
      const written = await read(isNew ? 'create' : 'update', 'draft')();
      return wasDraft(write) ? written : [...written, ...(await read('publish', 'published')())];
    },
  };
};

const entryMessage = ({ type }: LoggedWrite, event: string, entry: object): EventMessage => ({
  event,
  body: { model: type.singularName, uid: type.uid, entry },
});

/**
 * Whether the write left a draft; where the event does not have the time of the publication, what is published now
 * decides.
 */
const wasDraft = ({ entry }: LoggedWrite): boolean => isRecord(entry) && entry['publishedAt'] === null;

/** As it was, without what it was related to. */
function deleted(write: LoggedWrite, isFile: boolean): readonly EventMessage[] {
  const document = isRecord(write.document) ? write.document : { id: write.id };
  if (isFile) return [{ event: mediaEvents.delete, body: { media: document } }];
  return [entryMessage(write, entryEvents.delete, document)];
}
