import type { Api } from '../api/api.js';
import type { FileRecord } from '../model/values.js';
import { PAGE_SIZE, restoreDeleted, type Deleted, type DeletedPage, type Deletion } from './deleted-entries.js';

/** The path of files below the API. */
export const FILES = 'upload/files';

/** Deleted files, the last deletion first. */
export async function readFileTrash(api: Api, page: number, text: string): Promise<DeletedPage<FileRecord & Deleted>> {
  const { body } = await api.get(`${FILES}/trash`, {
    ...(text !== '' && {
      filters: { $or: ['name', 'alternativeText'].map((name) => ({ [name]: { $containsi: text } })) },
    }),
    pagination: { page, pageSize: PAGE_SIZE },
  });
  const { data, meta } = body as {
    readonly data: readonly FileRecord[];
    readonly meta: {
      readonly pagination: { readonly total: number };
      readonly deleted: Readonly<Record<string, Deletion>>;
    };
  };
  return {
    items: data.map((file) => ({ ...file, deletion: meta.deleted[file.id] })),
    total: meta.pagination.total,
  };
}

/** Brings deleted files back. @returns how many links of entries could not be given back */
export async function undoFileDeletions(api: Api, ids: readonly number[]): Promise<number> {
  let lost = 0;
  for (const id of ids) lost += await restoreDeleted(api, FILES, id);
  return lost;
}
