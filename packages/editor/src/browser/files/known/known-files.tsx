import { useTexts } from '../../language/language.js';
import type { FileRecord } from '../../model/values.js';
import { Dialog } from '../../shell/dialog.js';
import { Thumbnail } from '../thumbnail.js';

interface Props {
  readonly files: readonly FileRecord[];
  /** Whether these files are taken; undefined: nothing is to be done. */
  readonly answer: (takesKnown: boolean | undefined) => void;
}

/** Says that the library has the same files, and offers them. */
export function KnownFiles({ files, answer }: Props) {
  const texts = useTexts().knownFiles;
  return (
    <Dialog title={texts.title(files.length)} onClose={() => answer(undefined)}>
      <p>{texts.text(files.length)}</p>
      <ul className="known-files">
        {files.map((file) => (
          <li key={file.id} className="row">
            <Thumbnail file={file} />
            <span>{file.name}</span>
          </li>
        ))}
      </ul>
      <div className="actions">
        <button type="button" onClick={() => answer(false)}>
          {texts.upload}
        </button>
        <button type="button" className="primary" onClick={() => answer(true)}>
          {texts.take(files.length)}
        </button>
      </div>
    </Dialog>
  );
}
