import { useQueryClient } from '@tanstack/react-query';
import { keep, readKept } from '../../api/kept.js';
import { useTexts } from '../../language/language.js';
import { wayTo, type Folder } from '../../model/library/folders.js';
import type { Content } from '../../model/schema.js';
import { FOLDERS, useFolders } from './use-folders.js';

/** The name under which this tab keeps the folder that it has shown last. */
const KEY = 'content-service.folder';

/** Remembers the open folder; null is the top. */
export const keepFolder = (folder: number | null): void =>
  keep('sessionStorage', KEY, folder === null ? undefined : String(folder));

/** The folder that this tab has shown last; null is the top. */
export const keptFolder = (): number | null => Number(readKept('sessionStorage', KEY) ?? 0) || null;

interface UploadFolder {
  /** What an upload says of its folder, at the moment that it begins. */
  readonly infoNow: () => { readonly folder?: number | null };
  /** The names of the folders on the way; undefined: there are none. */
  readonly way: string | undefined;
}

/** Where files go that are uploaded beside the library: into the folder that was open last. */
export function useUploadFolder(content: Content): UploadFolder {
  const texts = useTexts().shell;
  const queries = useQueryClient();
  const folders = useFolders(content);
  const folderNow = (): number | null => {
    const kept = keptFolder();
    const known = queries.getQueryData<readonly Folder[]>(FOLDERS);
    // It may have been deleted.
    return known === undefined || wayTo(known, kept).length > 0 ? kept : null;
  };
  return {
    infoNow: () => (content.folders.find ? { folder: folderNow() } : {}),
    way: folders && [texts.files, ...wayTo(folders, folderNow()).map(({ name }) => name)].join(' / '),
  };
}
