import { useMutation } from '@tanstack/react-query';
import { changeFile } from '../api/files.js';
import { useSession } from '../api/session.js';
import { useTexts } from '../language/language.js';
import type { FileRecord } from '../model/values.js';
import { Failure } from '../shell/notices.js';

interface Props {
  readonly file: FileRecord;
  readonly onSaved: (file: FileRecord) => void;
}

/**
 * Asks for the alternative text of an image, and stores it when the field is left: it belongs to the file, not to the
 * entry.
 */
export function AlternativeTextInput({ file, onSaved }: Props) {
  const texts = useTexts().files;
  const { api } = useSession();
  const save = useMutation({
    mutationFn: async (alternativeText: string) => {
      await changeFile(api, file.id, { alternativeText });
      return { ...file, alternativeText };
    },
    onSuccess: onSaved,
  });
  return (
    <div className="describe">
      <input
        aria-label={`${texts.alternativeText}: ${file.name}`}
        placeholder={texts.describes}
        disabled={save.isPending}
        onBlur={({ currentTarget }) => {
          const text = currentTarget.value.trim();
          if (text !== '') save.mutate(text);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          // It does not submit the form around it.
          event.preventDefault();
          event.currentTarget.blur();
        }}
      />
      {save.error !== null && <Failure error={save.error} />}
    </div>
  );
}
