import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { uploadFiles } from '../api/files.js';
import { useSession } from '../api/session.js';
import { refusalOf } from '../model/library/file-kinds.js';
import { libraryAddress, parseLibraryState, wayTo, type LibraryState } from '../model/library/folders.js';
import type { Content } from '../model/schema.js';
import { messageOf, useNotice } from '../shell/notices.js';
import { useTitle } from '../shell/use-title.js';
import { DropZone } from './drop-zone.js';
import { FileDialog } from './file-dialog.js';
import { FileGrid } from './file-grid.js';
import { FolderActions } from './folder-actions.js';
import { useTexts } from '../language/language.js';
import { UploadButton } from './upload-button.js';
import { useDrag } from './use-drag.js';
import { useFolders } from './use-folders.js';

const kinds = ['images', 'videos', 'audios'] as const;

/** The files of the service. What is shown is in the address. */
export function LibraryPage({ content }: { readonly content: Content }) {
  const texts = useTexts();
  const { api } = useSession();
  const queries = useQueryClient();
  const show = useNotice();
  const [, navigate] = useLocation();
  const state = parseLibraryState(useSearch());
  const { kind, folder } = state;
  const change = (changes: Partial<LibraryState>): void => navigate(libraryAddress({ ...state, ...changes }));
  const [chosen, setChosen] = useState<number>();
  const folders = useFolders(content);
  const way = folders === undefined ? [] : wayTo(folders, folder);
  const isMissing = folders !== undefined && folder !== null && way.length === 0;
  const drag = useDrag();
  useTitle(way.at(-1)?.name ?? texts.shell.files);
  const upload = useMutation({
    mutationFn: (files: readonly File[]) => uploadFiles(api, files, content.folders.find ? folder : undefined),
    onSuccess: async (files) => {
      show({ kind: 'done', text: texts.files.uploaded(files.length) });
      await queries.invalidateQueries({ queryKey: ['files'] });
    },
    onError: (error) => show({ kind: 'failed', text: messageOf(error) }),
  });
  const addFiles = (files: readonly File[]): void => {
    const refusal = refusalOf(texts.files, files, content.files);
    if (refusal === undefined) upload.mutate(files);
    else show({ kind: 'failed', text: refusal });
  };
  const add = content.files.upload && !isMissing ? addFiles : undefined;
  return (
    <section>
      <DropZone onDrop={add}>
        <header className="title">
          <h1>{way.at(-1)?.name ?? texts.shell.files}</h1>
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
            <select value={kind} onChange={(event) => change({ kind: event.target.value, page: 1 })}>
              <option value="">{texts.files.kinds.all}</option>
              {kinds.map((name) => (
                <option key={name} value={name}>
                  {texts.files.kinds[name]}
                </option>
              ))}
            </select>
          </label>
          {folders !== undefined && !isMissing && (
            <FolderActions
              content={content}
              folders={folders}
              folder={way.at(-1)}
              parent={way.at(-2)?.id ?? null}
              onOpen={(id) => change({ folder: id, text: '', page: 1 })}
            />
          )}
        </div>
        {isMissing && <p role="alert">{texts.folders.wasDeleted}</p>}
        <FileGrid
          content={content}
          state={state}
          onChange={change}
          kinds={kind === '' ? undefined : [kind]}
          onChoose={({ id }) => setChosen(id)}
          drag={folders === undefined ? undefined : drag}
        />
      </DropZone>
      {chosen !== undefined && <FileDialog content={content} id={chosen} onClose={() => setChosen(undefined)} />}
    </section>
  );
}
