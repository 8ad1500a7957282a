import { useState } from 'react';
import { Transforms, type Editor } from 'slate';
import { useTexts } from '../language/language.js';
import { Dialog } from '../shell/dialog.js';
import { linkAt, setLink } from './commands.js';

/** Asks for the address of a link. */
export function LinkDialog({ editor, onClose }: { readonly editor: Editor; readonly onClose: () => void }) {
  const texts = useTexts();
  const [selection] = useState(editor.selection);
  const current = linkAt(editor);
  const set = (url: string): void => {
    // The dialog had the focus.
    if (selection !== null) Transforms.select(editor, selection);
    setLink(editor, url);
    onClose();
  };
  return (
    <Dialog title={texts.writing.link} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          set(String(new FormData(event.currentTarget).get('url')).trim());
        }}
      >
        <label>
          {texts.writing.address}
          <input name="url" defaultValue={current} required autoComplete="off" />
        </label>
        <div className="actions">
          <button type="submit" className="primary">
            {texts.common.save}
          </button>
          {current !== undefined && (
            <button type="button" onClick={() => set('')}>
              {texts.writing.removeLink}
            </button>
          )}
        </div>
      </form>
    </Dialog>
  );
}
