import { filterOfKinds } from '../model/library/file-kinds.js';
import { fileOrders, type FileOrder } from '../model/library/folders.js';
import { titleAttribute, type Content } from '../model/schema.js';
import { linkOf, type FileRecord, type FocalPoint, type Link } from '../model/values.js';
import type { Api, ReportSent } from './api.js';

/** What is shown of the library. */
interface FileSearch {
  readonly text: string;
  /** Kinds of Strapi, e.g. `images`; undefined: all. */
  readonly kinds: readonly string[] | undefined;
  readonly page: number;
  /** Null: the top; undefined: all folders. */
  readonly folder: number | null | undefined;
  readonly order: FileOrder;
}

interface FilePage {
  readonly files: readonly FileRecord[];
  readonly hasMore: boolean;
}

/** What people say about a file. */
interface FileInfo {
  readonly name: string;
  readonly alternativeText: string;
  readonly caption: string;
  /** Null: none any more. */
  readonly focalPoint?: FocalPoint | null;
}

const PAGE_SIZE = 24;

export async function readFiles(api: Api, { text, kinds, page, folder, order }: FileSearch): Promise<FilePage> {
  const named = { $or: ['name', 'alternativeText'].map((name) => ({ [name]: { $containsi: text } })) };
  const conditions = [...(text === '' ? [] : [named]), ...filterOfKinds(kinds)];
  const { body } = await api.get('upload/files', {
    sort: fileOrders[order],
    start: page * PAGE_SIZE,
    // One more shows whether there is another page.
    limit: PAGE_SIZE + 1,
    ...(folder !== undefined && { folder: String(folder) }),
    ...(conditions.length > 0 && { filters: { $and: conditions } }),
  });
  const files = body as readonly FileRecord[];
  return { files: files.slice(0, PAGE_SIZE), hasMore: files.length > PAGE_SIZE };
}

interface FileRead {
  readonly file: FileRecord;
  /** The entries and components that use it, among those that the user may list. */
  readonly usage: readonly Link[];
}

/** Null: it does not exist any more. */
export async function readFile(api: Api, content: Content, id: number): Promise<FileRead | null> {
  const titles = content.contentTypes.flatMap((type) => titleAttribute(type)?.name ?? []);
  const related = { fields: [...new Set(['id', ...titles])] };
  const { body } = await api.get('upload/files', { filters: { id }, populate: { related } });
  const [file] = body as readonly (FileRecord & { readonly related?: readonly Readonly<Record<string, unknown>>[] })[];
  if (file === undefined) return null;
  return { file, usage: (file.related ?? []).map((entry) => linkOf(content, [], entry)) };
}

/** Stores new files: all of them, or none. Without a folder they are where the service puts them. */
export async function uploadFiles(
  api: Api,
  files: readonly File[],
  info: Partial<FileInfo> & { readonly folder?: number | null } = {},
  onSent?: ReportSent,
): Promise<readonly FileRecord[]> {
  const form = new FormData();
  const infos = files.map(() => info);
  if (Object.keys(info).length > 0) form.append('fileInfo', JSON.stringify(infos.length === 1 ? infos[0] : infos));
  for (const file of files) form.append('files', file);
  return (await api.send('POST', 'upload', { body: form, onSent })).body as readonly FileRecord[];
}

/** Changes what is said about a file, and with `replacement` its bytes; its address, and what is not in `info`, stay the same. */
export async function changeFile(api: Api, id: number, info: Partial<FileInfo>, replacement?: File): Promise<void> {
  const form = new FormData();
  form.append('fileInfo', JSON.stringify(info));
  if (replacement !== undefined) form.append('files', replacement);
  await api.send('POST', 'upload', { query: { id }, body: form });
}
