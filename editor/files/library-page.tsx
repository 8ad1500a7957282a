import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { uploadFiles } from '../api/files.js';
import { useSession } from '../api/session.js';
import type { Content } from '../model/schema.js';
import { messageOf, useNotice } from '../shell/notices.js';
import { DropZone } from './drop-zone.js';
import { FileDialog } from './file-dialog.js';
import { FileGrid } from './file-grid.js';
import { UploadButton } from './upload-button.js';

const kinds: Readonly<Record<string, string>> = { images: 'Images', videos: 'Videos', audios: 'Audio' };

/** The files of the service. */
export function LibraryPage({ content }: { readonly content: Content }) {
  const { api } = useSession();
  const queries = useQueryClient();
  const show = useNotice();
  const [kind, setKind] = useState('');
  const [chosen, setChosen] = useState<number>();
  useEffect(() => {
    document.title = 'Files – Editor';
  }, []);
  const upload = useMutation({
    mutationFn: (files: readonly File[]) => uploadFiles(api, files),
    onSuccess: async (files) => {
      show({ kind: 'done', text: `${files.length} ${files.length === 1 ? 'file' : 'files'} uploaded.` });
      await queries.invalidateQueries({ queryKey: ['files'] });
    },
    onError: (error) => show({ kind: 'failed', text: messageOf(error) }),
  });
  const add = content.files.upload ? upload.mutate : undefined;
  return (
    <section>
      <DropZone onDrop={add}>
        <header className="title">
          <h1>Files</h1>
          {add !== undefined && (
            <>
              <span className="quiet-text">Drop files here, or</span>
              <UploadButton label="Upload files" multiple isBusy={upload.isPending} onChoose={add} />
            </>
          )}
        </header>
        <div className="toolbar">
          <label>
            Kind
            <select value={kind} onChange={(event) => setKind(event.target.value)}>
              <option value="">All</option>
              {Object.entries(kinds).map(([name, label]) => (
                <option key={name} value={name}>
                  {label}
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
