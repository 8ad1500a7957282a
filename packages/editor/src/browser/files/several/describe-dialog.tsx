import type { SyntheticEvent } from 'react';
import type { FileInfo } from '../../api/files.js';
import { useTexts } from '../../language/language.js';
import type { FileRecord } from '../../model/values.js';
import { Dialog, DialogButtons } from '../../shell/dialog.js';
import { Thumbnail } from '../thumbnail.js';

/** A file with what was typed about it. */
export interface DescribedFile {
  readonly id: number;
  readonly name: string;
  readonly info: Pick<FileInfo, 'alternativeText' | 'caption'>;
}

interface Props {
  readonly files: readonly FileRecord[];
  readonly onClose: () => void;
  /** @param described those about which something else was typed */
  readonly onSave: (described: readonly DescribedFile[]) => void;
}

/** Alternative texts and captions of several files, each in a row of its own. */
export function DescribeDialog({ files, onClose, onSave }: Props) {
  const texts = useTexts();
  const save = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const typed = (name: string, id: number): string => String(form.get(`${name}-${id}`) ?? '').trim();
    onClose();
    onSave(
      files.flatMap(({ id, name, alternativeText, caption }) => {
        const info = { alternativeText: typed('alternativeText', id), caption: typed('caption', id) };
        const isSame = info.alternativeText === (alternativeText ?? '') && info.caption === (caption ?? '');
        return isSame ? [] : [{ id, name, info }];
      }),
    );
  };
  return (
    <Dialog title={texts.several.describe(files.length)} onClose={onClose} wide>
      <p className="hint">{texts.files.describes}</p>
      <form onSubmit={save}>
        <ul className="described">
          {files.map((file) => (
            <li key={file.id}>
              <Thumbnail file={file} />
              <fieldset className="bare">
                <legend>{file.name}</legend>
                <label>
                  {texts.files.alternativeText}
                  <input name={`alternativeText-${file.id}`} defaultValue={file.alternativeText ?? ''} dir="auto" />
                </label>
                <label>
                  {texts.files.caption}
                  <input name={`caption-${file.id}`} defaultValue={file.caption ?? ''} dir="auto" />
                </label>
              </fieldset>
            </li>
          ))}
        </ul>
        <DialogButtons action={texts.common.save} onClose={onClose} />
      </form>
    </Dialog>
  );
}
