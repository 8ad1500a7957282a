import type { ContentType } from '../../content-types/model/types.js';
import type { OpenEvent } from '../../mongo/events/event-log.js';
import type { EventAction } from '../../mongo/events/stored-events.js';
import type { Store } from '../../mongo/store.js';
import { type Selection, withId } from '../../query/ast.js';
import { type LazyEntry, plainEntry } from '../../query/entry-presenter.js';
import { parseSelection } from '../../query/parse/parse-selection.js';
import { type DocumentsContext, emptyQuery, type EntryRequest } from '../context.js';
import { noListeners, type Announcement, type Audiences, type OwnAnnouncement } from './audiences.js';
import { announced } from './announced.js';
import { findSettled, first, isDraft } from '../read.js';
import { afterCommit } from '../write/finish-write.js';
import { presentWritten } from '../write/shortened-entry.js';
import { eventNames, isRecorded, shownInEvents } from './event-names.js';
import type { CopyUse, EntryName, StoredValue } from '../../query/mutation.js';
import { isLocalizations, isLocalized, isShared } from '../../content-types/model/localized.js';

/** The body of Strapi's event about an entry of a content type. */
export function eventBody(name: string, uid: string, entry: unknown): object {
  if (name.startsWith('media.')) return { media: entry };
  const model = uid.slice(uid.lastIndexOf('.') + 1);
  // These do not have a uid (corpus: project-corpus/webhooks).
  return name === 'entry.publish' || name === 'entry.unpublish' ? { model, entry } : { model, uid, entry };
}

/** The event of a write; undefined if nobody records or hears it. */
function openAnnouncement(
  { log, listeners }: Pick<Audiences, 'log' | 'listeners'>,
  type: ContentType,
  action: EventAction,
  names: readonly string[],
  isUnpublished?: true,
) {
  const isLogged = log.isOn() && isRecorded(type);
  const heard = names.filter((name) => listeners.wants(name));
  if (!isLogged && heard.length === 0) return undefined;
  let open: OpenEvent | undefined;
  let state: 'open' | 'confirmed' | 'closed' = 'open';
  let hasEntry = false;
  return {
    record: async (id: number, written: Date | undefined, entry?: LazyEntry, document?: LazyEntry): Promise<void> => {
      if (!isLogged) return;
      hasEntry = entry !== undefined;
      const [shown, deleted] = [entry, document].map((one) => one && JSON.stringify(one(plainEntry)));
      open = await log.open({ type, id, action, written, names, entry: shown, document: deleted, isUnpublished });
    },
    discard: async (): Promise<void> => {
      if (state === 'closed') return;
      state = 'closed';
      await open?.discard();
    },
    confirm: async (): Promise<void> => {
      state = 'confirmed';
      await open?.confirm();
    },
    /** @param read is called if the event does not have the entry, or code listens */
    complete: async (read: () => unknown): Promise<void> => {
      // Where it is not clear that the write was done, recovery finds out.
      if (state !== 'confirmed') return;
      state = 'closed';
      const isMissing = !hasEntry && names.length > 0;
      let [entry, content]: [unknown, string | undefined] = [undefined, undefined];
      try {
        entry = isMissing || heard.length > 0 ? await read() : undefined;
        content = isMissing && entry !== undefined ? JSON.stringify(entry) : undefined;
      } finally {
        // Readers of the log read an entry that cannot be read or serialized here.
        await open?.complete(content);
      }
      if (entry !== undefined) for (const name of heard) listeners.tell(name, eventBody(name, type.uid, entry));
    },
  };
}

/**
 * Does work that gives its writes events, by the option `event`, and completes them with contents of its own; inside a
 * transaction that happens after the commit. Those that it leaves open are completed without. Nobody records or hears
 * an event that is undefined.
 */
export async function withOwnEvents<R>(
  { store, audiences }: Pick<DocumentsContext, 'store' | 'audiences'>,
  type: ContentType,
  action: EventAction,
  names: readonly string[],
  work: (open: () => OwnAnnouncement | undefined) => Promise<R>,
): Promise<R> {
  const opened: OwnAnnouncement[] = [];
  const open = (): OwnAnnouncement | undefined => {
    const announcement = openAnnouncement(audiences, type, action, names);
    if (announcement === undefined) return undefined;
    const complete: OwnAnnouncement['complete'] = (entry) =>
      afterCommit(store, () => announcement.complete(() => entry));
    opened.push({ ...announcement, complete });
    return opened.at(-1);
  };
  const close = async (): Promise<unknown> => Promise.all(opened.map((event) => event.complete(undefined)));
  let result: R;
  try {
    result = await work(open);
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
  await close();
  return result;
}

/** The event of a write through the documents service; undefined if it has none. */
export function announce(
  audiences: Audiences,
  store: Pick<Store, 'find' | 'transactions'>,
  type: ContentType,
  action: EventAction,
  { event = 'entry', selection, caller }: Pick<EntryRequest, 'event' | 'selection' | 'caller'>,
  { names: publication, isUnpublished }: PublicationChange = { names: [] },
): Announcement | undefined {
  if (typeof event === 'object') {
    return {
      ...event,
      // It does not contain the response.
      record: (id, written) => event.record(id, written),
      complete: async (entry) => (entry === undefined ? event.complete(undefined) : undefined),
    };
  }
  const names = event === 'none' ? [] : [...publication, ...eventNames(type, action)];
  const heard = event === 'untold' ? { ...audiences, listeners: noListeners } : audiences;
  const announcement = openAnnouncement(heard, type, action, names, isUnpublished);
  if (announcement === undefined) return undefined;
  // A rule withholds attributes from this caller, not from others.
  const asResponse = event === 'response' && caller.withheld === undefined && shownInEvents[type.uid] === undefined;
  const shown = asResponse ? selection : selectionOf(type);
  let id = 0;
  const read = async (selected = shown): Promise<LazyEntry | undefined> =>
    (await findSettled(store, { ...emptyQuery(type), ...selected }, [id]))[0];
  let removed: LazyEntry | undefined;
  return {
    ...announcement,
    record: async (writtenId, written, entry) => {
      id = writtenId;
      const isDeleted = names.length > 0 && action === 'delete';
      if (isDeleted) removed = asResponse ? entry : await read();
      const document = isDeleted && type.documentId !== undefined ? await read(documentOf(type)) : undefined;
      await announcement.record(id, written, asResponse && names.length > 0 ? entry : removed, document);
    },
    complete: (entry) =>
      announcement.complete(async () => {
        if (entry === undefined) return undefined;
        const shownEntry = removed ?? (asResponse ? entry : await read());
        return shownEntry && presentWritten(shownEntry, id, plainEntry);
      }),
  };
}

/** The event of one of several updates that are done together: as in Strapi v4 no webhook receives it. */
export const announceQuietly = (audiences: Audiences, type: ContentType): Announcement | undefined => {
  const announcement = openAnnouncement(audiences, type, 'update', []);
  return announcement && { ...announcement, complete: () => announcement.complete(() => undefined) };
};

/**
 * Records that a working copy is saved or discarded, for formats of the API in which it is the draft of its entry.
 * Others do not hear of it.
 */
export function announceCopy(
  audiences: Pick<Audiences, 'log' | 'listeners'>,
  { copies, documentId }: ContentType,
  action: 'update' | 'delete',
): Announcement | undefined {
  if (copies === undefined || documentId === undefined) return undefined;
  const announcement = openAnnouncement(audiences, copies, action, []);
  return announcement && { ...announcement, complete: () => announcement.complete(() => undefined) };
}

/** The attributes of an entry with its documentId, without its relations. */
const documentOf = (type: ContentType): Selection =>
  parseSelection({}, type, 'documents', { populateLimit: Number.POSITIVE_INFINITY });

/** The attributes of an entry that clients see, without its relations. */
export const selectionOf = (type: ContentType): Selection =>
  parseSelection(shownInEvents[type.uid] ?? {}, type, 'client', { populateLimit: Number.POSITIVE_INFINITY });

/** That a write publishes or unpublishes an entry. */
export interface PublicationChange {
  /** The names of its events. */
  readonly names: readonly string[];
  readonly isUnpublished?: true;
}

/**
 * The event of a write that publishes or unpublishes an entry, where the service is configured to send it: over REST
 * Strapi v4 sends `entry.update` alone. Formats with documents tell by the log that an entry is published no longer.
 * @throws AppError notFound
 */
export async function publicationEvents(
  context: DocumentsContext,
  type: ContentType,
  id: number,
  {
    values,
    copy,
  }: { readonly values: ReadonlyMap<string, StoredValue | undefined>; readonly copy: CopyUse | undefined },
): Promise<PublicationChange> {
  const { publication, log } = context.audiences;
  const nothing = { names: [] };
  const isLogged = type.documentId !== undefined && log.isOn();
  if (!type.draftAndPublish || !(publication || isLogged)) return nothing;
  const named = (name: string): readonly string[] => (publication ? [name] : []);
  if (copy === 'merge') return { names: named('entry.publish') };
  if (!values.has('publishedAt')) return nothing;
  const willBeDraft = values.get('publishedAt') === undefined;
  if ((await isDraft(context, type, id)) === willBeDraft) return nothing;
  return willBeDraft ? { names: named('entry.unpublish'), isUnpublished: true } : { names: named('entry.publish') };
}

/**
 * Announces the other localizations of an entry, after a write has changed their shared values. As recorded, Strapi
 * sends an event for each of them only if the response shows the localizations and a shared value.
 * @param hasShared whether shared values were written
 */
export async function announceLocalizations(
  { store, audiences }: DocumentsContext,
  { type, id }: EntryName,
  { event, selection }: Pick<EntryRequest, 'event' | 'selection'>,
  hasShared: boolean,
): Promise<void> {
  if (!isLocalized(type)) return;
  const names = event === 'response' && showsShared(type, selection) ? ['entry.update'] : [];
  if (names.length === 0 && !hasShared) return;
  const populate = { populate: { localizations: { fields: ['id'] } } };
  const links = parseSelection({ ...populate, fields: ['id'] }, type, 'internal', { populateLimit: 1 });
  const read = async (selected: Selection, id: number) =>
    (await store.find(first(withId({ ...emptyQuery(type), ...selected }, id)))).entries[0]?.(plainEntry);
  const entry = (await read(links, id)) as { readonly localizations?: readonly { readonly id: number }[] } | undefined;
  for (const other of entry?.localizations ?? []) {
    const announcement = openAnnouncement(audiences, type, 'update', names);
    const complete = (): Promise<void> | undefined => announcement?.complete(() => read(selectionOf(type), other.id));
    await announced(store, [announcement && { ...announcement, complete: async () => complete() }], {
      record: (event) => event.record(other.id, undefined),
      // The write of the entry has shared its values.
      write: () => Promise.resolve(),
      finish: () => Promise.resolve(),
      entryOf: () => undefined,
    });
  }
}

const showsShared = (type: ContentType, { fields, populate }: Selection): boolean =>
  populate.some((node) => isLocalizations(node.attribute, type)) && fields.some((field) => isShared(field, type));
