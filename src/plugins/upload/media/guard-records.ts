import type { Data } from '../../../config/record.js';
import type { Entries } from '../../../documents/entries.js';
import type { DocumentHooks } from '../../../documents/hooks.js';
import { AppError } from '../../../errors/app-error.js';
import { isStoredName } from '../../../mongo/files/file-store.js';
import { FILE } from './file.js';

/**
 * Prevents clients from choosing the stored bytes of a record: they can write records of files in GraphQL, and
 * deleting a record deletes its bytes. A new record must not refer to existing bytes.
 * @param hasFolders records have no copy of the path of their folder, which moves
 * @throws AppError validation
 */
export const guardRecords =
  (entries: () => Entries, hasFolders: boolean): NonNullable<DocumentHooks['prepare']> =>
  async (data, { type, action, caller }) => {
    if (type.uid !== FILE || caller.kind === 'system') return data;
    const { hash, ext, formats: _formats, ...others } = data;
    const metadata = hasFolders ? withoutPath(others) : others;
    if (action === 'update') return metadata;
    if (typeof hash !== 'string') return { ...metadata, ext };
    if (!isStoredName(`${hash}${typeof ext === 'string' ? ext : ''}`)) throw refused('hash is not a valid file name');
    if ((await entries().count(FILE, { filters: { hash } })) > 0) throw refused('This attribute must be unique');
    return { ...metadata, hash, ext };
  };

const withoutPath = ({ folderPath: _copy, ...record }: Data): Data =>
  'folder' in record ? { ...record, folderPath: null } : record;

const refused = (message: string): AppError => new AppError('validation', [{ path: ['hash'], message }]);
