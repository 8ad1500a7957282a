import { useQueryClient } from '@tanstack/react-query';
import { useSession } from '../../api/session.js';
import { isConflict, type Place } from '../../api/write-entry.js';
import { useTexts } from '../../language/language.js';
import type { Values } from '../../model/values.js';
import { useNotice, type Notice } from '../../shell/notices.js';
import { takeBack, type StoredEntry, type Undo } from './undo-publication.js';

interface Change {
  readonly text: string;
  /** What it made of the entry; undefined: the form does not show that. */
  readonly after: StoredEntry | undefined;
  /** Undefined: it cannot be taken back. */
  readonly undo: Undo | undefined;
  /** Shows in the form what is stored then. */
  readonly onUndone: (after: StoredEntry) => Promise<unknown>;
  /** Puts values into the form that could not be stored. */
  readonly onLeft: (values: Values) => void;
}

/**
 * Makes the message after a publication or a discarding, which takes it back as long as nobody has changed the entry
 * since.
 */
export function useUndoNotice({ content, type, query }: Omit<Place, 'id'>) {
  const texts = useTexts();
  const { api } = useSession();
  const queries = useQueryClient();
  const show = useNotice();
  return ({ text, after, undo, onUndone, onLeft }: Change): Notice => {
    if (after === undefined || undo === undefined) return { kind: 'done', text };
    const run = async (): Promise<void> => {
      try {
        const isDone = await takeBack(api, { content, type, id: after.entry?.id, query }, after, undo);
        // A form that is opened again reads it again.
        await queries.invalidateQueries({ queryKey: ['entry', type.path], refetchType: 'none' });
        await onUndone(after);
        show({ kind: 'done', text: texts.publication.undone[undo.kind] });
        if (!isDone && undo.kind === 'withdraw') onLeft(undo.prepared);
      } catch (error) {
        show(isConflict(error) ? { kind: 'failed', text: texts.publication.notUndone } : { kind: 'failed', error });
      }
      await queries.invalidateQueries({ queryKey: ['list', type.path] });
    };
    return { kind: 'done', text, action: { label: texts.inputs.undo, run: () => void run() } };
  };
}
