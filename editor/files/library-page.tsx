import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { uploadFiles } from '../api/files.js';
import { useSession } from '../api/session.js';
import type { Content } from '../model/schema.js';
import { messageOf, useNotice } from '../shell/notices.js';
import { useTitle } from '../shell/use-title.js';
import { DropZone } from './drop-zone.js';
import { FileDialog } from './file-dialog.js';
import { FileGrid } from './file-grid.js';
import { useTexts } from '../language/language.js';
import { UploadButton } from './upload-button.js';

const kinds = ['images', 'videos', 'audios'] as const;

/** The files of the service. */
export function LibraryPage({ content }: { readonly content: Content }) {
  const texts = useTexts();
  const { api } = useSession();
  const queries = useQueryClient();
  const show = useNotice();
  const [kind, setKind] = useState('');
  const [chosen, setChosen] = useState<number>();
  useTitle(texts.shell.files);
  const upload = useMutation({
    mutationFn: (files: readonly File[]) => uploadFiles(api, files),
    onSuccess: async (files) => {
      show({ kind: 'done', text: texts.files.uploaded(files.length) });
      await queries.invalidateQueries({ queryKey: ['files'] });
    },
    onError: (error) => show({ kind: 'failed', text: messageOf(error) }),
  });
  const add = content.files.upload ? upload.mutate : undefined;
  return (
    <section>
      <DropZone onDrop={add}>
        <header className="title">
          <h1>{texts.shell.files}</h1>
          {add !== undefined && (
            <>
              <span className="quiet-text">{texts.files.drop}</span>
              <UploadButton label={texts.files.upload} multiple isBusy={upload.isPending} onChoose={add} />
            </>
          )}
        </header>
        <div className="toolbar">
          <label>
            {texts.files.kind}
            <select value={kind} onChange={(event) => setKind(event.target.value)}>
              <option value="">{texts.files.kinds.all}</option>
              {kinds.map((name) => (
                <option key={name} value={name}>
                  {texts.files.kinds[name]}
                </option>
              ))}
            </select>
          </label>
        </div>
        <FileGrid key={kind} kinds={kind === '' ? undefined : [kind]} onChoose={({ id }) => setChosen(id)} />
      </DropZone>
      {chosen !== undefined && <FileDialog content={content} id={chosen} onClose={() => setChosen(undefined)} />}
    </section>
  );
}
