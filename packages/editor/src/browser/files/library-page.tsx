import { ExplainedError } from '../language/message-of.js';
import { List, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import type { ReportSent } from '../api/api.js';
import { uploadFiles } from '../api/files.js';
import { keep, readKept } from '../api/kept.js';
import { useSession } from '../api/session.js';
import { SearchField } from '../list/search-field.js';
import { sizeRefusalOf } from '../model/library/file-kinds.js';
import { wayTo } from '../model/library/folders.js';
import {
  fileOrders,
  isOfAllFolders,
  libraryAddress,
  openedBy,
  parseLibraryState,
  stepFrom,
  worklists,
  type FileOrder,
  type LibraryState,
  type Step,
  type Worklist,
} from '../model/library/library-state.js';
import type { Content } from '../model/schema.js';
import { Choice } from '../inputs/choice.js';
import { useNotice } from '../shell/notices.js';
import { useTitle } from '../shell/use-title.js';
import { useFileDrag } from './folders/drag.js';
import { DropZone } from './drop-zone.js';
import { FileDialog } from './file-dialog.js';
import { FileGrid, type ShownFiles } from './file-grid.js';
import { FolderActions } from './folders/folder-actions.js';
import { useKnownFiles } from './known/use-known-files.js';
import { SeveralFiles } from './several/several-files.js';
import { useTexts } from '../language/language.js';
import { UploadButton } from './upload-button.js';
import { useFolders } from './folders/use-folders.js';
import { keepFolder } from './folders/use-upload-folder.js';
import { useSeveral } from './several/use-several.js';

const kinds = ['images', 'videos', 'audios', 'documents'] as const;

/** The name under which this browser keeps how files are shown. */
const VIEW = 'content-service.files';

/** The files of the service. What is shown is in the address. */
export function LibraryPage({ content }: { readonly content: Content }) {
  const texts = useTexts();
  const { api } = useSession();
  const show = useNotice();
  const [, navigate] = useLocation();
  const state = parseLibraryState(useSearch());
  const { kind, folder } = state;
  const change = (changes: Partial<LibraryState>): void => navigate(libraryAddress({ ...state, ...changes }));
  const [chosen, setChosen] = useState<Step>();
  const [asList, setAsList] = useState(() => readKept('localStorage', VIEW) === 'list');
  const folders = useFolders(content);
  const way = folders === undefined ? [] : wayTo(folders, folder);
  const isMissing = folders !== undefined && folder !== null && way.length === 0;
  // What is shown of all folders is of none.
  const open = isOfAllFolders(state) ? [] : way;
  useEffect(() => {
    if (!isMissing) keepFolder(folder);
  }, [isMissing, folder]);
  const drag = useFileDrag();
  useTitle(open.at(-1)?.name ?? texts.shell.files);
  const several = useSeveral(libraryAddress(state));
  const known = useKnownFiles(content);
  const mayMove = content.files.upload && folders !== undefined;
  const upload = async (file: File, onSent: ReportSent): Promise<unknown> => {
    const refusal = sizeRefusalOf(texts.several, file, content.files.limit);
    if (refusal !== undefined) throw new ExplainedError(refusal);
    return uploadFiles(api, [file], content.folders.find ? { folder } : {}, onSent);
  };
  const addFiles = (files: readonly File[]): void => {
    if (several.isBusy) show({ kind: 'failed', text: texts.several.isBusy });
    else void addUnknown(files);
  };
  const addUnknown = async (files: readonly File[]): Promise<void> => {
    const chosen = await known.choose(files);
    if (chosen === undefined) return;
    const [first] = chosen.known;
    if (first !== undefined && chosen.uploaded.length === 0) setChosen({ id: first.id, at: 0 });
    await several.run('upload', chosen.uploaded, upload);
  };
  const add = content.files.upload && !isMissing ? addFiles : undefined;
  return (
    <section>
      <DropZone onDrop={add}>
        <header className="title">
          <h1>{open.at(-1)?.name ?? texts.shell.files}</h1>
          {content.files.trash !== undefined && (
            <Link
              className="button to-trash"
              href="/files/trash"
              aria-label={texts.trash.title}
              title={texts.trash.title}
            >
              <Trash2 size={16} aria-hidden="true" />
              <span>{texts.trash.title}</span>
            </Link>
          )}
          {add !== undefined && (
            <>
              <span className="quiet-text">{texts.files.drop}</span>
              <UploadButton
                label={texts.files.upload}
                multiple
                isBusy={several.isBusy && several.work?.kind === 'upload'}
                onChoose={add}
              />
            </>
          )}
        </header>
        <div className="toolbar">
          <SearchField value={state.text} onChange={(text) => change({ text, page: 1 })} />
          <Choice
            label={texts.files.kind}
            value={kind}
            onChange={(value) => change({ kind: value, page: 1 })}
            options={[
              { value: '', label: texts.files.kinds.all },
              ...kinds.map((name) => ({ value: name, label: texts.files.kinds[name] })),
            ]}
          />
          <Choice
            label={texts.files.worklist}
            value={state.worklist}
            onChange={(value) => change({ worklist: value as Worklist | '', page: 1 })}
            options={[
              { value: '', label: texts.files.kinds.all },
              ...worklists
                // Who may not delete files does not learn which ones nobody uses.
                .filter((name) => name !== 'unused' || content.files.destroy)
                .map((name) => ({ value: name, label: texts.files.worklists[name] })),
            ]}
          />
          <Choice
            label={texts.files.order}
            value={state.order}
            onChange={(value) => change({ order: value as FileOrder, page: 1 })}
            options={Object.keys(fileOrders).map((name) => ({
              value: name,
              label: texts.files.orders[name as FileOrder],
            }))}
          />
          <button
            type="button"
            aria-pressed={asList}
            onClick={() => {
              setAsList(!asList);
              keep('localStorage', VIEW, asList ? undefined : 'list');
            }}
          >
            <List size={17} aria-hidden="true" />
            {texts.files.asList}
          </button>
          {folders !== undefined && !isMissing && (
            <FolderActions
              content={content}
              folders={folders}
              folder={open.at(-1)}
              parent={open.at(-2)?.id ?? null}
              onOpen={(id) => change({ folder: id, text: '', worklist: '', page: 1 })}
            />
          )}
        </div>
        {isMissing && <p role="alert">{texts.folders.wasDeleted}</p>}
        <FileGrid
          content={content}
          state={state}
          onChange={change}
          asList={asList}
          kinds={kind === '' ? undefined : [kind]}
          onChoose={({ id }, at) => setChosen({ id, at })}
          drag={folders === undefined ? undefined : drag}
          several={content.files.upload || content.files.destroy ? several : undefined}
        >
          {(shown) => (
            <>
              <SeveralFiles
                content={content}
                several={several}
                files={shown.selected}
                total={shown.total}
                readAll={shown.readAll}
                folders={mayMove ? folders : undefined}
                mayDelete={content.files.destroy}
              />
              {chosen !== undefined && (
                <OpenFile
                  content={content}
                  step={chosen}
                  page={state.page}
                  shown={shown}
                  onStep={(step) => {
                    if (step !== undefined && 'page' in step) change({ page: step.page });
                    setChosen(step);
                  }}
                />
              )}
            </>
          )}
        </FileGrid>
        {known.dialog}
      </DropZone>
    </section>
  );
}

interface OpenProps {
  readonly content: Content;
  readonly step: Step;
  readonly page: number;
  readonly shown: ShownFiles;
  /** Undefined: no file is open any more. */
  readonly onStep: (step: Step | undefined) => void;
}

/** A file with the way to its neighbours, also on other pages. */
function OpenFile({ content, step, page, shown: { files, hasNext, isCurrent }, onStep }: OpenProps) {
  const ids = files.map(({ id }) => id);
  const opened = openedBy(step, isCurrent ? ids : []);
  const to = (by: 1 | -1): (() => void) | undefined => {
    const next = opened && stepFrom(opened, by, { ids, page, hasNext });
    return next && (() => onStep(next));
  };
  return (
    <FileDialog
      content={content}
      id={opened?.id}
      neighbours={{ previous: to(-1), next: to(1) }}
      onClose={() => onStep(undefined)}
      onCrop={({ id }) => onStep({ id, at: opened?.at ?? 0 })}
    />
  );
}
