import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { readFile, uploadFiles } from '../api/files.js';
import { useSession } from '../api/session.js';
import { useForm } from '../form/form-context.js';
import { type MediaAttribute } from '../model/schema.js';
import { FILE, isUndescribed, linkOf, type FileRecord, type Link, type Links } from '../model/values.js';
import { Failure, useNotice } from '../shell/notices.js';
import { acceptOf, refusalOf } from '../model/library/file-kinds.js';
import { AlternativeTextInput } from '../files/alternative-text-input.js';
import { useUploadFolder } from '../files/folders/use-upload-folder.js';
import { FileDialog } from '../files/file-dialog.js';
import { useKnownFiles } from '../files/known/use-known-files.js';
import { DropZone } from '../files/drop-zone.js';
import { Thumbnail } from '../files/thumbnail.js';
import { UploadButton } from '../files/upload-button.js';
import { FilePicker } from './file-picker.js';
import { useTexts } from '../language/language.js';
import { OrderedItem, useOrder } from './ordered-item.js';

interface Props {
  readonly attribute: MediaAttribute;
  readonly value: Links;
  readonly onChange: (value: Links) => void;
}

/** Files of an entry: uploaded here, or chosen from the library. */
export function MediaInput({ attribute, value, onChange }: Props) {
  const texts = useTexts().files;
  const { content } = useForm();
  const { api } = useSession();
  const show = useNotice();
  const place = useUploadFolder(content);
  const known = useKnownFiles(content);
  const [isPicking, setPicking] = useState(false);
  const [opened, setOpened] = useState<number>();
  /** The files whose details were changed here: they are no values of the entry. */
  const [changed, setChanged] = useState<Readonly<Record<number, FileRecord>>>({});
  const { items } = value;
  const set = (next: readonly Link[]): void => onChange({ ...value, items: next });
  const order = useOrder(items, set);
  const add = (links: readonly Link[]): void => {
    const added = links.filter((link) => !items.some((other) => other.id === link.id));
    set(attribute.multiple ? [...items, ...added] : links.slice(0, 1));
  };
  const upload = useMutation({
    mutationFn: async (files: readonly File[]) => {
      const { uploaded, known: same } = (await known.choose(files)) ?? { uploaded: [], known: [] };
      const stored = uploaded.length === 0 ? [] : await uploadFiles(api, uploaded, place.infoNow());
      return [...same, ...stored].map((file) => linkOf(content, [FILE], { ...file }));
    },
    onSuccess: (links) => {
      if (links.length > 0) add(links);
    },
  });
  const leaveDetails = async (id: number, next: number | undefined): Promise<void> => {
    setOpened(next);
    // Where the service cannot be reached, the file looks as before.
    const read = await readFile(api, id).catch(() => undefined);
    if (read) setChanged((others) => ({ ...others, [id]: read }));
    else if (read === null) set(items.filter((item) => item.id !== id));
  };
  /** Opens the file before or after the open one. */
  const step = (by: 1 | -1): (() => void) | undefined => {
    const at = items.findIndex(({ id }) => id === opened);
    const next = items[at + by];
    return opened === undefined || at < 0 || next === undefined ? undefined : () => void leaveDetails(opened, next.id);
  };
  const { label } = attribute;
  const addFiles = (files: readonly File[]): void => {
    const { limit } = content.files;
    const refusal = refusalOf(texts, files, { limit, field: { ...attribute, label } });
    if (refusal === undefined) upload.mutate(files);
    else show({ kind: 'failed', text: refusal });
  };
  return (
    <DropZone onDrop={content.files.upload ? addFiles : undefined}>
      <ol className="files">
        {items.map((link, index) => {
          const file = changed[link.id] ?? link.file;
          return (
            <OrderedItem key={link.id} order={order} index={index} label={link.title} className="row">
              {(buttons) => (
                <>
                  <FileLink
                    file={file}
                    title={link.title}
                    onOpen={content.files.find ? () => setOpened(link.id) : undefined}
                  />
                  {buttons}
                  {content.files.upload && isUndescribed(file) && (
                    <AlternativeTextInput
                      file={file}
                      onSaved={(saved) => setChanged((others) => ({ ...others, [saved.id]: saved }))}
                    />
                  )}
                </>
              )}
            </OrderedItem>
          );
        })}
      </ol>
      <div className="row">
        {content.files.upload && (
          <UploadButton
            label={texts.uploadFor(label)}
            multiple={attribute.multiple}
            accept={acceptOf(attribute.kinds)}
            isBusy={upload.isPending}
            onChoose={addFiles}
          />
        )}
        {content.files.find && (
          <button type="button" onClick={() => setPicking(true)}>
            {texts.fromLibrary}
          </button>
        )}
      </div>
      {content.files.upload && place.way !== undefined && <p className="hint">{texts.uploadsTo(place.way)}</p>}
      {upload.error !== null && <Failure error={upload.error} />}
      {opened !== undefined && (
        <FileDialog
          content={content}
          id={opened}
          neighbours={items.length > 1 ? { previous: step(-1), next: step(1) } : undefined}
          onClose={() => void leaveDetails(opened, undefined)}
          onCrop={(file) => {
            setOpened(undefined);
            set(items.map((item) => (item.id === opened ? linkOf(content, [FILE], { ...file }) : item)));
          }}
        />
      )}
      {known.dialog}
      {isPicking && (
        <FilePicker
          kinds={attribute.kinds}
          onClose={() => setPicking(false)}
          onChoose={(link) => {
            setPicking(false);
            add([link]);
          }}
        />
      )}
    </DropZone>
  );
}

interface FileLinkProps {
  readonly file: FileRecord | undefined;
  readonly title: string;
  /** Absent: the user may not see its details. */
  readonly onOpen: (() => void) | undefined;
}

/** An image and its name, which lead to its details. */
function FileLink({ file, title, onOpen }: FileLinkProps) {
  const { undescribed } = useTexts().files;
  const shown = (
    <>
      <Thumbnail file={file} />
      <span>
        {file?.name ?? title}
        {isUndescribed(file) && <span className="tag">{undescribed}</span>}
      </span>
    </>
  );
  if (onOpen === undefined) return <span className="row grow">{shown}</span>;
  return (
    <button type="button" className="quiet row grow" onClick={onOpen}>
      {shown}
    </button>
  );
}
