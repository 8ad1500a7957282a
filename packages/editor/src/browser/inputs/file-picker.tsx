import { useState } from 'react';
import { keepFolder, keptFolder } from '../files/folders/use-upload-folder.js';
import { FileGrid } from '../files/file-grid.js';
import { useForm } from '../form/form-context.js';
import { SearchField } from '../list/search-field.js';
import { firstState, type LibraryState } from '../model/library/library-state.js';
import { FILE, linkOf, type Link } from '../model/values.js';
import { useTexts } from '../language/language.js';
import { Dialog } from '../shell/dialog.js';

/** The files of the library of some kinds. */
export function FilePicker(props: {
  /** Undefined: all. */
  readonly kinds: readonly string[] | undefined;
  readonly onClose: () => void;
  readonly onChoose: (link: Link) => void;
}) {
  const texts = useTexts().files;
  const { content } = useForm();
  const [state, setState] = useState<LibraryState>({ ...firstState, folder: keptFolder() });
  const change = (changes: Partial<LibraryState>): void => {
    if (changes.folder !== undefined) keepFolder(changes.folder);
    setState({ ...state, ...changes });
  };
  return (
    <Dialog title={texts.choose} onClose={props.onClose} wide>
      <SearchField value={state.text} onChange={(text) => change({ text, page: 1 })} />
      <FileGrid
        content={content}
        state={state}
        onChange={change}
        kinds={props.kinds}
        onChoose={(file) => props.onChoose(linkOf(content, [FILE], { ...file }))}
      />
    </Dialog>
  );
}
