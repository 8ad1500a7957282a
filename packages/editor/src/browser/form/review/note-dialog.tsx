import type { SyntheticEvent } from 'react';
import { Dialog, DialogButtons } from '../../shell/dialog.js';
import { Field } from '../../small-forms/field.js';

interface Props {
  readonly title: string;
  readonly label: string;
  readonly action: string;
  readonly isRequired?: boolean;
  readonly onClose: () => void;
  readonly onSend: (note: string) => void;
}

/** The length of a note that the service takes. */
const MOST_CHARACTERS = 500;

/** Asks for a sentence to somebody else. */
export function NoteDialog({ title, label, action, isRequired = false, onClose, onSend }: Props) {
  const submit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const note = new FormData(event.currentTarget).get('note');
    const text = typeof note === 'string' ? note.trim() : '';
    if (isRequired && text === '') return;
    onClose();
    onSend(text);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit}>
        <Field label={label} name="note" rows={3} required={isRequired} maxLength={MOST_CHARACTERS} />
        <DialogButtons action={action} onClose={onClose} />
      </form>
    </Dialog>
  );
}
