import { Thumbnail } from '../files/thumbnail.js';
import { useTexts } from '../language/language.js';
import { dimensionsOf, sizeOf } from '../model/library/size-of.js';
import type { FileRecord } from '../model/values.js';
import { Dialog } from '../shell/dialog.js';

interface Props {
  readonly file: FileRecord;
  /** Undefined: the user may not restore it. */
  readonly onRestore: (() => void) | undefined;
  readonly onClose: () => void;
}

/** What a deleted file shows, and what was said about it, before it is restored. */
export function DeletedFile({ file, onRestore, onClose }: Props) {
  const texts = useTexts();
  const said = [
    [texts.files.information, [dimensionsOf(file), sizeOf(texts, file)].filter((part) => part !== '').join(' · ')],
    [texts.files.alternativeText, file.alternativeText],
    [texts.files.caption, file.caption],
  ] as const;
  return (
    <Dialog title={file.name} onClose={onClose} wide>
      <div className="deleted-file">
        <Thumbnail file={file} isLarge />
        <dl className="deleted">
          {said
            .filter(([, value]) => value)
            .map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
        </dl>
      </div>
      <div className="actions review">
        <button type="button" onClick={onClose}>
          {texts.common.close}
        </button>
        {onRestore !== undefined && (
          <button type="button" className="primary" onClick={onRestore}>
            {texts.trash.restore}
          </button>
        )}
      </div>
    </Dialog>
  );
}
