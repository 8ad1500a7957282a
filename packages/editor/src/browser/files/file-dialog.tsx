import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, useState, type RefObject, type SyntheticEvent } from 'react';
import { changeFile, readFile, type FileInfo } from '../api/files.js';
import { useSession } from '../api/session.js';
import { dimensionsOf, sizeOf } from '../model/library/size-of.js';
import type { Content } from '../model/schema.js';
import type { FileRecord } from '../model/values.js';
import { CommandButton } from '../shell/commands/commands.js';
import { ConfirmDeletion } from '../shell/deletion/confirm-deletion.js';
import { Dialog } from '../shell/dialog.js';
import { Failure, useNotice } from '../shell/notices.js';
import { Loading } from '../shell/states.js';
import { FileActions } from './file-actions.js';
import { FocalPointInput } from './image/focal-point.js';
import { addressOf } from './thumbnail.js';
import type { Texts } from '../language/texts.js';
import { useTexts } from '../language/language.js';
import { Neighbours } from './neighbours.js';
import { Usage, useUsage } from './usage.js';

interface Props {
  readonly content: Content;
  /** Undefined: it is not known yet. */
  readonly id: number | undefined;
  /** What opens the files before and after this one; undefined: there is none. Absent: it stands alone. */
  readonly neighbours?: Readonly<Record<'previous' | 'next', (() => void) | undefined>> | undefined;
  readonly onClose: () => void;
  /** A part of the image was stored as a new file. */
  readonly onCrop: (file: FileRecord) => void;
}

/**
 * A file of the library as it is now: what is said about it, where it is used, another one in its place, and the way to
 * its neighbours.
 */
export function FileDialog({ content, id, neighbours, onClose, onCrop }: Props) {
  const texts = useTexts().files;
  const { api } = useSession();
  const { data, error } = useQuery({
    queryKey: ['files', 'one', id],
    queryFn: () => (id === undefined ? undefined : readFile(api, id)),
    enabled: id !== undefined,
    gcTime: 0,
  });
  const typed = useRef<Typed>(nothingTyped);
  const [field, setField] = useState<string>();
  const [asks, setAsks] = useState(false);
  const leaveFor = (open: (() => void) | undefined): (() => void) | undefined =>
    open &&
    (() => {
      const focused = document.activeElement;
      setField(focused instanceof HTMLInputElement ? focused.name : undefined);
      void typed.current.save().then(open, () => undefined);
    });
  return (
    <Dialog
      title={data?.name ?? texts.file}
      onClose={() => (typed.current.isChanged() ? setAsks(true) : onClose())}
      wide
    >
      <Neighbours
        isShown={neighbours !== undefined}
        previous={leaveFor(neighbours?.previous)}
        next={leaveFor(neighbours?.next)}
      >
        {error !== null && <Failure error={error} />}
        {data === undefined && error === null && <Loading />}
        {data === null && <p>{texts.wasDeleted}</p>}
        {data && (
          <FileView
            key={data.id}
            file={data}
            content={content}
            typedIn={typed}
            field={field}
            onClose={onClose}
            onCrop={onCrop}
          />
        )}
      </Neighbours>
      {asks && (
        <ConfirmDeletion
          title={texts.askClose}
          text={texts.isNotSaved}
          keep={texts.goOn}
          action={texts.discard}
          onClose={() => setAsks(false)}
          onDelete={onClose}
        />
      )}
    </Dialog>
  );
}

/** What was typed about the open file. */
interface Typed {
  /** Whether it is not stored. */
  readonly isChanged: () => boolean;
  /** Stores it before the file is left; it fails where that is refused. */
  readonly save: () => Promise<void>;
}

const nothingTyped: Typed = { isChanged: () => false, save: async () => undefined };

interface ViewProps {
  readonly content: Content;
  readonly file: FileRecord;
  readonly typedIn: RefObject<Typed>;
  /** The name of the field that had the focus in the file before. */
  readonly field: string | undefined;
  readonly onClose: Props['onClose'];
  readonly onCrop: Props['onCrop'];
}

function FileView({ content, file, typedIn, field, onClose, onCrop }: ViewProps) {
  const texts = useTexts();
  const { api } = useSession();
  const queries = useQueryClient();
  const show = useNotice();
  const usage = useUsage({ content, files: [file] });
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
    const text = (name: string): string => {
      const input = form.current?.elements.namedItem(name);
      return input instanceof HTMLInputElement ? input.value : '';
    };
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
    if (mayWrite && differs(file, info)) {
      await changeFile(api, file.id, info);
      show({ kind: 'done', text: texts.files.savedTyped(info.name) });
    }
    const { alternativeText, caption } = info;
    return { alternativeText, caption };
  };
  useEffect(() => {
    const isChanged = (): boolean => mayWrite && differs(file, typed());
    const save = async (): Promise<void> => {
      if (isChanged()) await work.mutateAsync(async () => saveTyped().then(() => ''));
    };
    typedIn.current = { isChanged, save };
    return () => {
      typedIn.current = nothingTyped;
    };
  });
  useLayoutEffect(() => {
    const input = field === undefined ? null : form.current?.elements.namedItem(field);
    if (input instanceof HTMLElement) input.focus();
  }, [field]);
  const view = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // What had the focus belonged to the file before, e.g. to the part of it that was stored as this one.
    if (document.activeElement === document.body) view.current?.closest<HTMLElement>('[role=dialog]')?.focus();
  }, []);
  return (
    <div ref={view} className="file">
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
        <Usage usage={usage} />
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

function Preview({ file }: { readonly file: FileRecord }) {
  const address = addressOf(file, file.url);
  if (file.mime.startsWith('video/')) return <video src={address} controls />;
  if (file.mime.startsWith('audio/')) return <audio src={address} controls />;
  return undefined;
}

function factsOf(texts: Texts, file: FileRecord): string {
  return [file.mime, dimensionsOf(file), sizeOf(texts, file)].filter(Boolean).join(' · ');
}
