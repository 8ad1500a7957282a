import type { SyntheticEvent } from 'react';
import { useTexts } from '../language/language.js';
import { destinations, type Folder } from '../model/library/folders.js';
import { Dialog, DialogButtons } from '../shell/dialog.js';

interface Props {
  readonly title: string;
  readonly folders: readonly Folder[];
  /** The folders that are moved: they cannot be moved into themselves. */
  readonly moved: readonly number[];
  readonly onClose: () => void;
  /** Null: to the top. */
  readonly onMove: (to: number | null) => void;
}

/** Chooses the folder to which something is moved. */
export function MoveDialog({ title, folders, moved, onClose, onMove }: Props) {
  const texts = useTexts();
  const submit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const to = String(new FormData(event.currentTarget).get('to'));
    onClose();
    onMove(to === '' ? null : Number(to));
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit}>
        <label>
          {texts.folders.destination}
          <select name="to">
            <option value="">{texts.shell.files}</option>
            {destinations(folders, moved).map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <DialogButtons action={texts.folders.move} onClose={onClose} />
      </form>
    </Dialog>
  );
}
