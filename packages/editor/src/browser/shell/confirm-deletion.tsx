import type { ReactNode } from 'react';
import { useTexts } from '../language/language.js';
import { Dialog } from './dialog.js';

interface Props {
  readonly title: string;
  /** What cannot be undone. */
  readonly text: string;
  /** The label of the button that deletes nothing. */
  readonly keep: string;
  /** The label of the button that deletes; absent: that of most deletions. */
  readonly action?: string;
  readonly onClose: () => void;
  readonly onDelete: () => void;
  /** What else there is to know. */
  readonly children?: ReactNode;
}

/** Asks before something is deleted. */
export function ConfirmDeletion({ title, text, keep, action, onClose, onDelete, children }: Props) {
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
          onClick={() => {
            onClose();
            onDelete();
          }}
        >
          {action ?? texts.delete}
        </button>
      </div>
    </Dialog>
  );
}
