import type { Entry } from '../api/entries.js';
import { useSession } from '../api/session.js';
import { undoDeletions } from './deleted-entries.js';
import { undoFileDeletions } from './deleted-files.js';
import { useUndoNotice } from './use-undo-notice.js';
import { useTexts } from '../language/language.js';
import type { Content, ContentType } from '../model/schema.js';
import type { Notice } from '../shell/notices.js';

/** Makes the message after a deletion, which takes it back where deleted entries are kept. */
export function useDeletionNotice(type: ContentType) {
  const texts = useTexts();
  const { api } = useSession();
  const undoNotice = useUndoNotice([
    ['list', type.path],
    ['entry', type.path],
  ]);
  /** @param onUndone called when the entries are there again */
  return (text: string, entries: readonly Entry[], onUndone?: () => void): Notice => {
    if (type.trash === undefined) return { kind: 'done', text };
    const restore = async (): Promise<string> => {
      const lost = await undoDeletions(api, type, entries);
      if (lost > 0) return texts.trash.linksLost(lost);
      return entries.length === 1 ? texts.trash.restored : texts.trash.severalRestored(entries.length);
    };
    return undoNotice(text, restore, onUndone);
  };
}

/** Makes the message after files were deleted, which takes it back where they are kept, for who may restore them. */
export function useFileDeletionNotice({ files: { trash, upload } }: Pick<Content, 'files'>) {
  const texts = useTexts();
  const { api } = useSession();
  const undoNotice = useUndoNotice([['files'], ['list'], ['entry']]);
  return (text: string, ids: readonly number[]): Notice => {
    if (trash === undefined || !upload) return { kind: 'done', text };
    const restore = async (): Promise<string> => {
      const lost = await undoFileDeletions(api, ids);
      if (lost > 0) return texts.fileTrash.linksLost(lost);
      return ids.length === 1 ? texts.fileTrash.restored : texts.fileTrash.severalRestored(ids.length);
    };
    return undoNotice(text, restore);
  };
}
