import type { Folder, Selected } from '../model/library/folders.js';
import type { Api } from './api.js';

/** All folders. */
export async function readFolders(api: Api): Promise<readonly Folder[]> {
  const { body } = await api.get('upload/folder-structure');
  return (body as { readonly data: readonly Folder[] }).data;
}

/** The id of the folder that has a file; null: the file is at the top. */
export async function readFolderOf(api: Api, file: number): Promise<number | null> {
  const { body } = await api.get('upload/folders', { file, fields: ['id'] });
  return (body as { readonly data: readonly { readonly id: number }[] }).data[0]?.id ?? null;
}

/** Creates a folder, and returns its id. */
export async function createFolder(api: Api, name: string, parent: number | null): Promise<number> {
  const { body } = await api.send('POST', 'upload/folders', { body: { name, parent } });
  return (body as { readonly data: { readonly id: number } }).data.id;
}

export async function renameFolder(api: Api, id: number, name: string): Promise<void> {
  await api.send('PUT', `upload/folders/${id}`, { body: { name } });
}

/** Moves folders and files into a folder, or to the top. */
export async function moveTo(api: Api, { folders, files }: Selected, to: number | null): Promise<void> {
  const body = { folderIds: folders, fileIds: files, destinationFolderId: to };
  await api.send('POST', 'upload/actions/bulk-move', { body });
}

/** Deletes a folder, which must be empty, or with all that is in it. */
export async function deleteFolder(api: Api, id: number, withContents: boolean): Promise<void> {
  await api.send('POST', 'upload/actions/bulk-delete', { body: { folderIds: [id], withContents } });
}
