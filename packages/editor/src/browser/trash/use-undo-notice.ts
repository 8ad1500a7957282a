import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useTexts } from '../language/language.js';
import { useNotice, type Notice } from '../shell/notices.js';

/** Makes the message after a deletion, with what takes it back. @param changed what is read again then */
export function useUndoNotice(changed: readonly QueryKey[]) {
  const texts = useTexts();
  const queries = useQueryClient();
  const show = useNotice();
  /**
   * @param restore takes the deletion back, and returns what is said then
   * @param onUndone called when that is done
   */
  return (text: string, restore: () => Promise<string>, onUndone: () => void = () => undefined): Notice => {
    const undo = async (): Promise<void> => {
      try {
        show({ kind: 'done', text: await restore() });
        onUndone();
      } catch (error) {
        show({ kind: 'failed', error });
      }
      for (const queryKey of changed) await queries.invalidateQueries({ queryKey });
    };
    return { kind: 'done', text, action: { label: texts.inputs.undo, run: () => void undo() } };
  };
}
