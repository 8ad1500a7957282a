import { filterOfKinds, undescribed } from '../model/library/file-kinds.js';
import { fileOrders, type LibraryState } from '../model/library/library-state.js';
import { usageQueries } from '../model/references.js';
import type { Content, ContentType } from '../model/schema.js';
import { linkOf, type FileRecord, type FocalPoint, type Link } from '../model/values.js';
import type { Api, ReportSent } from './api.js';
import { readPage } from './entries.js';

/** What is read of the library. */
interface FileSearch extends Pick<LibraryState, 'text' | 'worklist' | 'page' | 'pageSize' | 'order'> {
  /** Kinds of Strapi, e.g. `images`, or `documents`; undefined: all. */
  readonly kinds: readonly string[] | undefined;
  /** Null: the top; undefined: all folders. */
  readonly folder: number | null | undefined;
}

interface FilePage {
  readonly files: readonly FileRecord[];
  /** Undefined: it is not known. */
  readonly total: number | undefined;
  readonly hasNext: boolean;
}

/** What people say about a file. */
export interface FileInfo {
  readonly name: string;
  readonly alternativeText: string;
  readonly caption: string;
  /** Null: none any more. */
  readonly focalPoint?: FocalPoint | null;
  /** Null: the top. */
  readonly folder?: number | null;
}

/**
 * A page of the library. Where code of the project answers, the total is not known, and unused files are not told from
 * others.
 */
export async function readFiles(api: Api, search: FileSearch): Promise<FilePage> {
  const { text, kinds, worklist, page, pageSize, folder, order } = search;
  const named = { $or: ['name', 'alternativeText'].map((name) => ({ [name]: { $containsi: text } })) };
  const conditions = [
    ...(text === '' ? [] : [named]),
    ...filterOfKinds(kinds),
    ...(worklist === 'undescribed' ? [undescribed] : []),
  ];
  const { body, total } = await api.get('upload/files', {
    sort: fileOrders[order],
    start: (page - 1) * pageSize,
    limit: pageSize,
    withCount: true,
    ...(worklist === 'unused' && { unused: true }),
    ...(folder !== undefined && { folder: String(folder) }),
    ...(conditions.length > 0 && { filters: { $and: conditions } }),
  });
  const files = body as readonly FileRecord[];
  return { files, total, hasNext: total === undefined ? files.length === pageSize : page * pageSize < total };
}

/** Null: it does not exist any more. */
export async function readFile(api: Api, id: number): Promise<FileRecord | null> {
  const { body } = await api.get('upload/files', { filters: { id } });
  return (body as readonly FileRecord[])[0] ?? null;
}

/** The entries of a type that use a file. */
export interface TypeUsage {
  readonly type: ContentType;
  readonly links: readonly Link[];
  /** There are more than these. */
  readonly hasMore: boolean;
}

/** How many entries of a type are named. */
const MOST_USES = 20;

/** The entries that use one of these files, among those that the user may list; types without any are left out. */
export async function readUsage(
  api: Api,
  content: Content,
  files: readonly FileRecord[],
): Promise<readonly TypeUsage[]> {
  const read = await Promise.all(
    usageQueries(content, files, MOST_USES + 1).map(async ({ type, query }) => ({
      type,
      links: (await readPage(api, type, query)).entries.map((entry) => linkOf(content, [type.uid], { ...entry })),
    })),
  );
  return content.contentTypes.flatMap((type) => {
    const links = read.flatMap((one) => (one.type === type ? one.links : []));
    const each = [...new Map(links.map((link) => [link.id, link])).values()];
    return each.length === 0 ? [] : [{ type, links: each.slice(0, MOST_USES), hasMore: each.length > MOST_USES }];
  });
}

/** Stores new files: all of them, or none. Without a folder they are where the service puts them. */
export async function uploadFiles(
  api: Api,
  files: readonly File[],
  info: Partial<FileInfo> = {},
  onSent?: ReportSent,
): Promise<readonly FileRecord[]> {
  const form = new FormData();
  const infos = files.map(() => info);
  if (Object.keys(info).length > 0) form.append('fileInfo', JSON.stringify(infos.length === 1 ? infos[0] : infos));
  for (const file of files) form.append('files', file);
  return (await api.send('POST', 'upload', { body: form, onSent })).body as readonly FileRecord[];
}

/**
 * Changes what is said about a file, and with `replacement` its bytes; its address, and what is not in `info`, stay the
 * same.
 */
export async function changeFile(api: Api, id: number, info: Partial<FileInfo>, replacement?: File): Promise<void> {
  const form = new FormData();
  form.append('fileInfo', JSON.stringify(info));
  if (replacement !== undefined) form.append('files', replacement);
  await api.send('POST', 'upload', { query: { id }, body: form });
}
