import type { Entries, Entry } from '../../../documents/entries.js';
import type { Change, DocumentHooks } from '../../../documents/hooks.js';
import { FILE } from '../media/file.js';
import type { FileStorage } from './file-storage.js';

/** Removes a file's bytes when its record is deleted, whoever does that: the record first, then what nobody needs. */
export function removeStored(parts: () => { readonly entries: Entries; readonly storage: FileStorage }): DocumentHooks {
  const doomed = new WeakMap<Change, Entry>();
  return {
    follow: async (change) => {
      if (change.action === 'delete' && change.type.uid === FILE) {
        const file = await parts().entries.findFirst(FILE, { filters: { id: change.id } });
        if (file !== undefined) doomed.set(change, file);
      }
      return [];
    },
    after: async (change) => {
      const file = doomed.get(change);
      if (file !== undefined) await parts().storage.remove(file);
    },
  };
}
