import type { SyntheticEvent } from 'react';
import { useTexts } from '../../language/language.js';
import { destinations, type Folder } from '../../model/library/folders.js';
import { Choice } from '../../inputs/choice.js';
import { Dialog, DialogButtons } from '../../shell/dialog.js';

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
        <Choice
          label={texts.folders.destination}
          name="to"
          defaultValue=""
          options={[
            { value: '', label: texts.shell.files },
            ...destinations(folders, moved).map(({ id, label }) => ({ value: String(id), label })),
          ]}
        />
        <DialogButtons action={texts.folders.move} onClose={onClose} />
      </form>
    </Dialog>
  );
}
