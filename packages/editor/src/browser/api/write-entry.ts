import { changedAttributes, type Data } from '../model/body.js';
import { mayPublish, type Content, type ContentType } from '../model/schema.js';
import { valuesOf, type Values } from '../model/values.js';
import { RequestError, type Answer, type Api } from './api.js';
import { entryIn, pathOf, readEntry, withStatus, type Entry, type EntryRead, type WrittenStatus } from './entries.js';

interface NewEntry {
  readonly type: ContentType;
  readonly query: object;
  readonly locale: string | undefined;
  /** Of a localization: the entry that it translates. */
  readonly source: Entry | undefined;
}

/** Stores a new entry, or the first one of a single type, and returns what the user may read of it. */
export async function createEntry(
  api: Api,
  { type, query: read, locale, source }: NewEntry,
  data: Data,
): Promise<Entry | undefined> {
  // Its data says whether it is a draft.
  const query = withStatus(read, undefined);
  if (source !== undefined) {
    const body = { ...data, locale };
    const answer = await api.send('POST', `${pathOf(type, source.id)}/localizations`, { body });
    return { id: (answer.body as Entry).id, attributes: {} };
  }
  if (type.plain) return entryIn(type, await api.send('POST', type.path, { body: data })).entry;
  if (type.kind === 'singleType')
    return entryIn(type, await api.send('PUT', type.path, { query, body: { data } })).entry;
  const body = { data: { ...data, ...(type.localized && locale !== undefined && { locale }) } };
  return entryIn(type, await api.send('POST', type.path, { query, body })).entry;
}

/** An entry, and how it is read. */
export interface Place {
  readonly content: Content;
  readonly type: ContentType;
  readonly id: number | undefined;
  readonly query: object;
}

/** Sends a write of this version of an entry. */
export type Send = (etag: string | undefined) => Promise<Answer>;

/** Whether the entry was changed since the version that a write named. */
export const isConflict = (error: unknown): boolean => error instanceof RequestError && error.status === 412;

/**
 * Sends a write of an entry together with what is prepared of it, of which the form has the latest state: each state
 * has a version of its own, and the write names that of what is published.
 */
export const writeWhole =
  (api: Api, { type, id, query }: Omit<Place, 'content'>, send: Send): Send =>
  async (etag) => {
    if (type.workingCopies !== true) return send(etag);
    const latest = await readEntry(api, type, id, query);
    if (latest.etag !== etag) throw new RequestError(412, 'PreconditionFailedError', '', {});
    return send((await readEntry(api, type, id, withStatus(query, undefined))).etag);
  };

/**
 * Sends a write that names a version of an entry. A version covers the files and related entries in it too: if only
 * these have changed, the write is sent again with the version of now.
 */
export async function writeVersion(
  api: Api,
  { content, type, id, query }: Place,
  stored: EntryRead & { readonly base: Values },
  send: Send,
): Promise<Answer> {
  try {
    return await send(stored.etag);
  } catch (error) {
    if (!isConflict(error)) throw error;
    const { entry, etag } = await readEntry(api, type, id, query);
    const isSame =
      entry !== undefined &&
      entry.attributes['publishedAt'] === stored.entry?.attributes['publishedAt'] &&
      changedAttributes(type, stored.base, valuesOf(content, type, entry.attributes)).length === 0;
    if (!isSame || etag === stored.etag) throw error;
    return writeVersion(api, { content, type, id, query }, { ...stored, etag }, send);
  }
}

/** What becomes of an entry when it is saved; undefined: it stays published or a draft. */
export type Publication = 'publish' | 'unpublish';

/**
 * When an entry is published, as a request says it. New entries are drafts, unless they are published at once; those of
 * users who may not write it are drafts without a word.
 */
export function publicationOf(type: ContentType, publication: Publication | undefined, isNew: boolean): Data {
  if (!mayPublish(type, isNew)) return {};
  if (publication === 'publish') return { publishedAt: new Date().toISOString() };
  return publication === 'unpublish' || isNew ? { publishedAt: null } : {};
}

/**
 * Changes a stored entry. What is published is checked by the service as a whole; what is saved of a published entry is
 * prepared, if its type has working copies.
 * @param writeStored sends a write of the version in the form
 */
export async function updateEntry(
  api: Api,
  place: Place,
  writeStored: (write: Send) => Promise<Answer>,
  changes: Data,
  publication: Publication | undefined,
): Promise<Entry | undefined> {
  const { type, id, query } = place;
  const put =
    (data: Data, status: WrittenStatus | undefined): Send =>
    (ifMatch) =>
      api.send(
        'PUT',
        pathOf(type, id),
        type.plain ? { body: data } : { query: withStatus(query, status), body: { data }, ifMatch },
      );
  const publishedAt = publicationOf(type, publication, false);
  if (type.workingCopies !== true) {
    const status = publication === 'publish' ? 'published' : undefined;
    return entryIn(type, await writeStored(put({ ...changes, ...publishedAt }, status))).entry;
  }
  if (publication !== 'unpublish')
    return entryIn(type, await writeStored(put(changes, publication === 'publish' ? 'published' : 'draft'))).entry;
  const unpublish = writeWhole(api, place, put(publishedAt, undefined));
  if (Object.keys(changes).length === 0) return entryIn(type, await writeStored(unpublish)).entry;
  // The draft that it becomes has what is typed as well.
  await writeStored(put(changes, 'draft'));
  return entryIn(type, await unpublish((await readEntry(api, type, id, query)).etag)).entry;
}
