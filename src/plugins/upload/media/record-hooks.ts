import type { Data } from '../../../config/record.js';
import type { Entries } from '../../../documents/entries.js';
import type { DocumentHooks } from '../../../documents/hooks.js';
import { AppError } from '../../../errors/app-error.js';
import type { FileStorage } from '../storage/file-storage.js';
import { FILE } from './file.js';

/** Where the bytes of a file are stored. Only an upload decides it. */
const stored = new Set(['hash', 'ext', 'formats', 'url', 'provider', 'provider_metadata']);

/**
 * Prevents clients from choosing the stored bytes of a record: they can write records of files in GraphQL, private
 * files of a provider are served by their record, and deleting a record deletes its bytes.
 * @param hasFolders records have no copy of the path of their folder, which moves
 * @throws AppError badRequest for a new record
 */
export const guardRecords =
  (hasFolders: boolean): NonNullable<DocumentHooks['prepare']> =>
  (data, { type, action, caller }) => {
    if (type.uid !== FILE || caller.kind === 'system') return data;
    if (action === 'create') throw new AppError('badRequest', 'Files are created by uploads: use the mutation upload');
    const metadata = Object.fromEntries(Object.entries(data).filter(([name]) => !stored.has(name)));
    return hasFolders ? withoutPath(metadata) : metadata;
  };

const withoutPath = ({ folderPath: _copy, ...record }: Data): Data =>
  'folder' in record ? { ...record, folderPath: null } : record;

/** Removes the bytes of a file once its record is deleted, by any caller. */
export const removeStored =
  (
    parts: () => { readonly entries: Entries; readonly storage: FileStorage },
  ): NonNullable<DocumentHooks['beforeDelete']> =>
  async ({ type, id }) => {
    if (type.uid !== FILE) return undefined;
    const { entries, storage } = parts();
    const file = await entries.findFirst(FILE, { filters: { id } });
    return file && (() => storage.remove(file));
  };
