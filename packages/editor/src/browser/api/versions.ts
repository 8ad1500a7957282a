import { typeOf, type Content, type ContentType } from '../model/schema.js';
import { linkFields } from '../model/selection.js';
import { FILE } from '../model/values.js';
import { linkedIn, type EntryOf, type Version } from '../model/version.js';
import type { Data } from '../model/body.js';
import { RequestError, type Api } from './api.js';
import { readPage } from './entries.js';

/** How many versions are read at once. */
export const PAGE_SIZE = 20;

export const readVersions = async (
  api: Api,
  { path }: ContentType,
  id: number,
  page: number,
): Promise<readonly Version[]> => {
  const { body } = await api.get(`${path}/${id}/versions`, { pagination: { page, pageSize: PAGE_SIZE } });
  return (body as { readonly data: readonly Version[] }).data;
};

/** The related entries and files of a version; of those that the user may not list, their ids. */
export async function readLinked(api: Api, content: Content, type: ContentType, version: Version): Promise<EntryOf> {
  const entries = new Map<string, Data>();
  await Promise.all(
    [...linkedIn(content, type, version)].map(async ([uid, ids]) => {
      const found = await readEntries(api, content, uid, [...ids]).catch(ifForbidden);
      for (const entry of found) entries.set(`${uid} ${String(entry['id'])}`, entry);
    }),
  );
  return (uid, id) => entries.get(`${uid} ${id}`) ?? { id };
}

function ifForbidden(error: unknown): readonly Data[] {
  if (error instanceof RequestError && error.status === 403) return [];
  throw error;
}

async function readEntries(api: Api, content: Content, uid: string, ids: readonly number[]): Promise<readonly Data[]> {
  const filters = { id: { $in: ids } };
  if (uid === FILE) return (await api.get('upload/files', { filters, limit: ids.length })).body as readonly Data[];
  const type = typeOf(content, uid);
  if (type === undefined) return [];
  const page = await readPage(api, type, {
    ...linkFields(type),
    filters,
    ...(type.draftAndPublish && { publicationState: 'preview' }),
    ...(type.localized && { locale: 'all' }),
    ...(type.plain ? { limit: ids.length } : { pagination: { pageSize: ids.length, withCount: false } }),
  });
  return page.entries.map(({ id, attributes }) => ({ ...attributes, id }));
}
