import { stateOf } from '../model/lists/bulk.js';
import { entryQuery, linkFields } from '../model/selection.js';
import { mayPublish, type Content, type ContentType } from '../model/schema.js';
import type { Api } from '../api/api.js';
import type { Entry } from '../api/entries.js';

/** When an entry was deleted, and by whom; null: it was no user, or one who was deleted. */
export interface Deletion {
  readonly at: string;
  readonly by: string | null;
}

export interface Deleted {
  readonly id: number;
  readonly deletion: Deletion | undefined;
}

export interface DeletedPage<Item extends Deleted> {
  readonly items: readonly Item[];
  readonly total: number;
}

/** How many deleted entries or files are read at once. */
export const PAGE_SIZE = 25;

/** What was deleted of a type, the last deletion first, in all locales. */
export async function readTrash(
  api: Api,
  type: ContentType,
  page: number,
  text: string,
): Promise<DeletedPage<Entry & Deleted>> {
  const { fields } = linkFields(type);
  const { body } = await api.get(`${type.path}/trash`, {
    fields: [...fields, ...(type.localized ? ['locale'] : [])],
    ...(type.localized && { locale: 'all' }),
    ...(text !== '' && { _q: text }),
    pagination: { page, pageSize: PAGE_SIZE },
  });
  const { data, meta } = body as {
    readonly data: readonly Entry[];
    readonly meta: {
      readonly pagination: { readonly total: number };
      readonly deleted?: Readonly<Record<string, Deletion>>;
    };
  };
  return {
    items: data.map((entry) => ({ ...entry, deletion: meta.deleted?.[entry.id] })),
    total: meta.pagination.total,
  };
}

/** A deleted entry with all that it had, as a form reads one; undefined: it is not in the trash any more. */
export async function readDeleted(
  api: Api,
  content: Content,
  type: ContentType,
  id: number,
): Promise<Entry | undefined> {
  const { body } = await api.get(`${type.path}/trash`, {
    ...entryQuery(content, type),
    filters: { id: { $eq: id } },
    ...(type.localized && { locale: 'all' }),
  });
  return (body as { readonly data: readonly Entry[] }).data[0];
}

/** When an entry was deleted, and by whom; undefined: it is not in the trash. */
export async function readDeletion(api: Api, type: ContentType, id: number): Promise<Deletion | undefined> {
  const { body } = await api.get(`${type.path}/trash`, {
    fields: ['id'],
    filters: { id: { $eq: id } },
    ...(type.localized && { locale: 'all' }),
  });
  return (body as { readonly meta: { readonly deleted?: Readonly<Record<string, Deletion>> } }).meta.deleted?.[id];
}

/**
 * Brings a deleted entry back, a draft if its type has drafts, or a deleted file. Returns how many links of others to
 * it could not be given back.
 * @param path that of the list
 */
export async function restoreDeleted(api: Api, path: string, id: number): Promise<number> {
  const { body } = await api.send('POST', `${path}/trash/${id}/restore`);
  return (body as { readonly meta: { readonly lost: readonly unknown[] } }).meta.lost.length;
}

export const removeForGood = async (api: Api, path: string, id: number): Promise<void> => {
  await api.send('DELETE', `${path}/trash/${id}`);
};

/**
 * Takes deletions back, as far as nobody has changed what belongs to them. What was published without changes is
 * published again; what was changed comes back as a draft, so that nothing is published that was not.
 * @returns how many links of other entries could not be given back
 */
export async function undoDeletions(api: Api, type: ContentType, entries: readonly Entry[]): Promise<number> {
  let lost = 0;
  for (const { id } of entries) lost += await restoreDeleted(api, type.path, id);
  const published = mayPublish(type, false) ? entries.filter((entry) => stateOf(entry) === 'published') : [];
  const operations = published.map(({ id }) => ({ update: type.path, id, data: {}, status: 'published' }));
  if (operations.length > 0) await api.send('POST', 'batch', { body: { operations } });
  return lost;
}
