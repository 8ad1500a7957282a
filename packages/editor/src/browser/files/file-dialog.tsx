import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type SyntheticEvent } from 'react';
import { changeFile, readFile, type FileInfo } from '../api/files.js';
import { useSession } from '../api/session.js';
import { isCroppable } from '../model/library/area.js';
import { refusalOf } from '../model/library/file-kinds.js';
import { dimensionsOf, sizeOf } from '../model/library/size-of.js';
import type { Content } from '../model/schema.js';
import type { FileRecord } from '../model/values.js';
import { CommandButton } from '../shell/commands/commands.js';
import { ConfirmDeletion } from '../shell/confirm-deletion.js';
import { Dialog } from '../shell/dialog.js';
import { Failure, useNotice } from '../shell/notices.js';
import { CropDialog } from './image/crop-dialog.js';
import { FocalPointInput } from './image/focal-point.js';
import { addressOf } from './thumbnail.js';
import type { Texts } from '../language/texts.js';
import { useTexts } from '../language/language.js';
import { MoveDialog } from './folders/move-dialog.js';
import { UploadButton } from './upload-button.js';
import { Usage } from './usage.js';
import { useFolders, useMove } from './folders/use-folders.js';

interface Props {
  readonly content: Content;
  readonly id: number;
  readonly onClose: () => void;
  /** A part of the image was stored as a new file. */
  readonly onCrop: (file: FileRecord) => void;
}

/** A file of the library as it is now: what is said about it, where it is used, another one in its place. */
export function FileDialog({ content, id, onClose, onCrop }: Props) {
  const texts = useTexts().files;
  const { api } = useSession();
  const { data, error } = useQuery({
    queryKey: ['files', 'one', id],
    queryFn: () => readFile(api, id),
    gcTime: 0,
  });
  return (
    <Dialog title={data?.name ?? texts.file} onClose={onClose} wide>
      {error !== null && <Failure error={error} />}
      {data === null && <p>{texts.wasDeleted}</p>}
      {data && <FileView file={data} content={content} onClose={onClose} onCrop={onCrop} />}
    </Dialog>
  );
}

interface ViewProps {
  readonly content: Content;
  readonly file: FileRecord;
  readonly onClose: Props['onClose'];
  readonly onCrop: Props['onCrop'];
}

function FileView({ content, file, onClose, onCrop }: ViewProps) {
  const texts = useTexts();
  const { api } = useSession();
  const queries = useQueryClient();
  const [point, setPoint] = useState(file.focalPoint ?? null);
  const mayWrite = content.files.upload;
  const isImage = file.mime.startsWith('image/');
  const work = useMutation({
    mutationFn: (send: () => Promise<string>) => send(),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['files'] }),
  });
  const isBusy = work.isPending;
  const form = useRef<HTMLFormElement>(null);
  const typed = (): FileInfo => {
    const fields = new FormData(form.current ?? undefined);
    const text = (name: string): string => String(fields.get(name) ?? '');
    return {
      name: text('name') || file.name,
      alternativeText: text('alternativeText'),
      caption: text('caption'),
      // Somebody else may have set one since the dialog was opened.
      ...(point !== (file.focalPoint ?? null) && { focalPoint: point }),
    };
  };
  const submit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const info = typed();
    work.mutate(async () => {
      await changeFile(api, file.id, info);
      return texts.common.saved;
    });
  };
  /** Another file takes the place of this one: what was typed is not lost. */
  const saveTyped = async (): Promise<Partial<FileInfo>> => {
    const info = typed();
    if (differs(file, info)) await changeFile(api, file.id, info);
    const { alternativeText, caption } = info;
    return { alternativeText, caption };
  };
  return (
    <div className="file">
      <div>
        {isImage ? (
          <FocalPointInput file={file} point={point} onChange={setPoint} disabled={!mayWrite || isBusy} />
        ) : (
          <Preview file={file} />
        )}
        <p className="quiet-text">{factsOf(texts, file)}</p>
        <p>
          <a href={file.url} target="_blank" rel="noreferrer">
            {file.url}
          </a>
        </p>
      </div>
      <div>
        <form ref={form} onSubmit={submit}>
          <fieldset className="fields" disabled={!mayWrite || isBusy}>
            <legend className="hidden">{texts.files.information}</legend>
            <label>
              {texts.common.name}
              <input name="name" required defaultValue={file.name} />
            </label>
            <label>
              {texts.files.alternativeText}
              <input name="alternativeText" defaultValue={file.alternativeText ?? ''} />
            </label>
            <p className="hint">{texts.files.describes}</p>
            <label>
              {texts.files.caption}
              <input name="caption" defaultValue={file.caption ?? ''} />
            </label>
            {work.error !== null && <Failure error={work.error} />}
          </fieldset>
          <p className="hint" role="status">
            {work.data}
          </p>
          <div className="actions">
            {mayWrite && (
              <CommandButton
                type="submit"
                shortcut="save"
                label={texts.common.save}
                className="primary"
                disabled={isBusy}
              />
            )}
            <FileActions
              content={content}
              file={file}
              isBusy={isBusy}
              run={work.mutate}
              saveTyped={saveTyped}
              onClose={onClose}
              onCrop={onCrop}
            />
          </div>
        </form>
        <Usage content={content} files={[file]} />
      </div>
    </div>
  );
}

/** Whether this is not what is stored. */
const differs = (file: FileRecord, { name, alternativeText, caption, focalPoint }: FileInfo): boolean =>
  name !== file.name ||
  alternativeText !== (file.alternativeText ?? '') ||
  caption !== (file.caption ?? '') ||
  focalPoint !== undefined;

interface ActionProps extends ViewProps {
  readonly isBusy: boolean;
  /** Does something with the file, and shows the message that it returns or why it failed. */
  readonly run: (work: () => Promise<string>) => void;
  readonly saveTyped: () => Promise<Partial<FileInfo>>;
}

/** What can be done with a file, beside describing it. */
function FileActions({ content, file, isBusy, run, saveTyped, onClose, onCrop }: ActionProps) {
  const texts = useTexts();
  const { api } = useSession();
  const queries = useQueryClient();
  const show = useNotice();
  const folders = useFolders(content);
  const move = useMove();
  const [open, setOpen] = useState<'crop' | 'move' | 'delete'>();
  const close = (): void => setOpen(undefined);
  const { upload: mayWrite, destroy: mayDelete } = content.files;
  const replace = async (files: readonly File[]): Promise<string> => {
    const refusal = refusalOf(texts.files, files, content.files);
    if (refusal !== undefined) throw new Error(refusal);
    await changeFile(api, file.id, { name: file.name }, files[0]);
    return texts.files.replaced;
  };
  const remove = async (): Promise<string> => {
    await api.send('DELETE', `upload/files/${file.id}`);
    show({ kind: 'done', text: texts.files.deleted });
    onClose();
    return '';
  };
  return (
    <>
      {mayWrite && (
        <UploadButton
          label={texts.files.replace}
          multiple={false}
          accept={file.mime}
          isBusy={isBusy}
          onChoose={(files) => run(() => replace(files))}
        />
      )}
      {mayWrite && isCroppable(file.mime) && (
        <button type="button" disabled={isBusy} onClick={() => setOpen('crop')}>
          {texts.crop.crop}
        </button>
      )}
      {mayWrite && folders !== undefined && (
        <button type="button" disabled={isBusy} onClick={() => setOpen('move')}>
          {texts.folders.moveTo}
        </button>
      )}
      {mayDelete && (
        <button type="button" className="danger" disabled={isBusy} onClick={() => setOpen('delete')}>
          {texts.common.delete}
        </button>
      )}
      {open === 'crop' && (
        <CropDialog
          content={content}
          file={file}
          saveTyped={saveTyped}
          onClose={close}
          onCrop={(part) => {
            show({ kind: 'done', text: texts.crop.saved });
            void queries.invalidateQueries({ queryKey: ['files'] });
            onCrop(part);
          }}
        />
      )}
      {open === 'move' && folders !== undefined && (
        <MoveDialog
          title={texts.folders.moveFile}
          folders={folders}
          moved={[]}
          onClose={close}
          onMove={(to) => move({ folders: [], files: [file.id] }, to)}
        />
      )}
      {open === 'delete' && (
        <ConfirmDeletion
          title={texts.files.askDelete}
          text={texts.files.disappears}
          keep={texts.common.keepIt}
          onClose={close}
          onDelete={() => run(remove)}
        >
          <Usage content={content} files={[file]} />
        </ConfirmDeletion>
      )}
    </>
  );
}

function Preview({ file }: { readonly file: FileRecord }) {
  const address = addressOf(file, file.url);
  if (file.mime.startsWith('video/')) return <video src={address} controls />;
  if (file.mime.startsWith('audio/')) return <audio src={address} controls />;
  return undefined;
}

function factsOf(texts: Texts, file: FileRecord): string {
  return [file.mime, dimensionsOf(file), sizeOf(texts, file)].filter(Boolean).join(' · ');
}
