import { useQueryClient } from '@tanstack/react-query';
import type { Entry } from '../api/entries.js';
import { useSession } from '../api/session.js';
import { undoDeletions } from './deleted-entries.js';
import { useTexts } from '../language/language.js';
import type { ContentType } from '../model/schema.js';
import { useNotice, type Notice } from '../shell/notices.js';

/** Makes the message after a deletion, which takes it back where deleted entries are kept. */
export function useDeletionNotice(type: ContentType) {
  const texts = useTexts();
  const { api } = useSession();
  const queries = useQueryClient();
  const show = useNotice();
  /** @param onUndone called when the entries are there again */
  return (text: string, entries: readonly Entry[], onUndone: () => void = () => undefined): Notice => {
    if (type.trash === undefined) return { kind: 'done', text };
    const undo = async (): Promise<void> => {
      try {
        const lost = await undoDeletions(api, type, entries);
        const restored = entries.length === 1 ? texts.trash.restored : texts.trash.severalRestored(entries.length);
        show({ kind: 'done', text: lost > 0 ? texts.trash.linksLost(lost) : restored });
        onUndone();
      } catch (error) {
        show({ kind: 'failed', error });
      }
      await queries.invalidateQueries({ queryKey: ['list', type.path] });
      await queries.invalidateQueries({ queryKey: ['entry', type.path] });
    };
    return { kind: 'done', text, action: { label: texts.inputs.undo, run: () => void undo() } };
  };
}
