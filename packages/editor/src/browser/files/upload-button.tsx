import { useTexts } from '../language/language.js';
import { useId } from 'react';

interface Props {
  readonly label: string;
  readonly multiple: boolean;
  readonly accept?: string | undefined;
  readonly isBusy: boolean;
  readonly onChoose: (files: readonly File[]) => void;
}

/** Lets the user choose files of their machine. */
export function UploadButton({ label, multiple, accept, isBusy, onChoose }: Props) {
  const texts = useTexts().files;
  const id = useId();
  return (
    <>
      <label className="button" htmlFor={id}>
        {isBusy ? texts.uploading : label}
      </label>
      <input
        id={id}
        className="hidden"
        type="file"
        multiple={multiple}
        accept={accept}
        disabled={isBusy}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          if (files.length > 0) onChoose(files);
          event.target.value = '';
        }}
      />
    </>
  );
}
