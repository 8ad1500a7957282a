import { Dialog } from './dialog.js';

interface Props {
  readonly title: string;
  /** What cannot be undone. */
  readonly text: string;
  /** The label of the button that deletes nothing. */
  readonly keep: string;
  readonly onClose: () => void;
  readonly onDelete: () => void;
}

/** Asks before something is deleted. */
export function ConfirmDeletion({ title, text, keep, onClose, onDelete }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
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
          Delete
        </button>
      </div>
    </Dialog>
  );
}
