import { ExplainedError } from '../language/message-of.js';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changeFile, type FileInfo } from '../api/files.js';
import { useSession } from '../api/session.js';
import { useTexts } from '../language/language.js';
import { isCroppable } from '../model/library/area.js';
import { refusalOf } from '../model/library/file-kinds.js';
import type { Content } from '../model/schema.js';
import type { FileRecord } from '../model/values.js';
import { useNotice } from '../shell/notices.js';
import { useFileDeletionNotice } from '../trash/use-deletion-notice.js';
import { ConfirmFileDeletion } from './confirm-file-deletion.js';
import { MoveDialog } from './folders/move-dialog.js';
import { useFolders, useMove } from './folders/use-folders.js';
import { CropDialog } from './image/crop-dialog.js';
import { UploadButton } from './upload-button.js';

interface Props {
  readonly content: Content;
  readonly file: FileRecord;

  readonly isBusy: boolean;
  /** Does something with the file, and shows the message that it returns or why it failed. */
  readonly run: (work: () => Promise<string>) => void;
  /** See `CropDialog`. */
  readonly saveTyped: () => Promise<Partial<FileInfo>>;
  readonly onClose: () => void;
  /** A part of the image was stored as a new file. */
  readonly onCrop: (file: FileRecord) => void;
}

/** What can be done with a file, beside describing it. */
export function FileActions({ content, file, isBusy, run, saveTyped, onClose, onCrop }: Props) {
  const texts = useTexts();
  const { api } = useSession();
  const queries = useQueryClient();
  const show = useNotice();
  const noticeOf = useFileDeletionNotice(content);
  const folders = useFolders(content);
  const move = useMove();
  const [open, setOpen] = useState<'crop' | 'move' | 'delete'>();
  const close = (): void => setOpen(undefined);
  const { upload: mayWrite, destroy: mayDelete, trash } = content.files;
  const replace = async (files: readonly File[]): Promise<string> => {
    const refusal = refusalOf(texts.files, files, content.files);
    if (refusal !== undefined) throw new ExplainedError(refusal);
    await changeFile(api, file.id, { name: file.name }, files[0]);
    return texts.files.replaced;
  };
  const remove = async (): Promise<string> => {
    await api.send('DELETE', `upload/files/${file.id}`);
    show(noticeOf(texts.files.deleted, [file.id]));
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
        <ConfirmFileDeletion
          content={content}
          files={[file]}
          title={texts.files.askDelete}
          text={trash === undefined ? texts.files.disappears : texts.fileTrash.disappears(trash)}
          keep={texts.common.keepIt}
          onClose={close}
          onDelete={() => run(remove)}
        />
      )}
    </>
  );
}
