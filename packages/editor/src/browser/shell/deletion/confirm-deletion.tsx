import type { ReactNode } from 'react';
import { useTexts } from '../../language/language.js';
import { Dialog } from '../dialog.js';

interface Props {
  readonly title: string;
  /** What cannot be undone. */
  readonly text: string;
  /** The label of the button that deletes nothing. */
  readonly keep: string;
  /** The label of the button that deletes; absent: that of most deletions. */
  readonly action?: string;
  /** Whether what depends on it is being found out, or could not be. Absent: it is known. */
  readonly check?: Check | undefined;
  readonly onClose: () => void;
  readonly onDelete: () => void;
  /** What else there is to know. */
  readonly children?: ReactNode;
}

export type Check = 'running' | 'failed';

/** Asks before something is deleted, once it is known what depends on it. */
export function ConfirmDeletion({ title, text, keep, action, check, onClose, onDelete, children }: Props) {
  const texts = useTexts().common;
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      {children}
      <div className="actions">
        <button type="button" onClick={onClose}>
          {keep}
        </button>
        <button
          type="button"
          className="danger"
          disabled={check === 'running'}
          onClick={() => {
            onClose();
            onDelete();
          }}
        >
          {check === 'failed' ? texts.deleteUnchecked : (action ?? texts.delete)}
        </button>
      </div>
    </Dialog>
  );
}
