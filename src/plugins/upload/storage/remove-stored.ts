import type { Entries } from '../../../documents/entries.js';
import type { Change, DocumentHooks } from '../../../documents/hooks.js';
import { FILE } from '../media/file.js';
import type { FileStore } from '../../../mongo/files/file-store.js';
import { removeAll, storedNames } from '../media/files.js';

/** Removes a file's bytes when its record is deleted, whoever does that: the record first, then what nobody needs. */
export function removeStored(parts: () => { readonly entries: Entries; readonly store: FileStore }): DocumentHooks {
  const doomed = new WeakMap<Change, readonly string[]>();
  return {
    follow: async (change) => {
      if (change.action === 'delete' && change.type.uid === FILE) {
        const file = await parts().entries.findFirst(FILE, { filters: { id: change.id } });
        if (file !== undefined) doomed.set(change, storedNames(file));
      }
      return [];
    },
    after: async (change) => {
      const names = doomed.get(change);
      if (names !== undefined) await removeAll(parts().store, names);
    },
  };
}
