import type { SyntheticEvent } from 'react';
import { useTexts } from '../language/language.js';
import { destinations, type Folder, type Selected } from '../model/library/folders.js';
import { Dialog } from '../shell/dialog.js';
import { useMove } from './use-folders.js';

interface Props {
  readonly title: string;
  readonly folders: readonly Folder[];
  readonly selected: Selected;
  readonly onClose: () => void;
}

/** Chooses the folder to which something is moved. */
export function MoveDialog({ title, folders, selected, onClose }: Props) {
  const texts = useTexts();
  const move = useMove();
  const submit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const to = String(new FormData(event.currentTarget).get('to'));
    onClose();
    move(selected, to === '' ? null : Number(to));
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit}>
        <label>
          {texts.folders.destination}
          <select name="to">
            <option value="">{texts.shell.files}</option>
            {destinations(folders, selected.folders).map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <div className="actions">
          <button type="submit" className="primary">
            {texts.folders.move}
          </button>
          <button type="button" onClick={onClose}>
            {texts.common.cancel}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
