import type { Entries } from '../../../documents/entries.js';
import type { DocumentHooks } from '../../../documents/hooks.js';
import { FILE } from '../media/file.js';
import type { FileStorage } from './file-storage.js';

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
