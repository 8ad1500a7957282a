import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import { createFolder, deleteFolder, renameFolder } from '../../api/folders.js';
import { RequestError } from '../../api/api.js';
import { useSession } from '../../api/session.js';
import { useTexts } from '../../language/language.js';
import type { Folder } from '../../model/library/folders.js';
import type { Content } from '../../model/schema.js';
import { ConfirmDeletion } from '../../shell/deletion/confirm-deletion.js';
import { Dialog, DialogButtons } from '../../shell/dialog.js';
import { Failure, useNotice } from '../../shell/notices.js';
import { MoveDialog } from './move-dialog.js';
import { useMove } from './use-folders.js';

interface Props {
  readonly content: Content;
  readonly folders: readonly Folder[];
  /** The open folder; undefined: the top. */
  readonly folder: Folder | undefined;
  /** Opens another folder. */
  readonly onOpen: (id: number | null) => void;
  /** The folder around the open one. */
  readonly parent: number | null;
}

const CONFLICT = 409;

type Question = 'create' | 'rename' | 'move' | 'delete' | 'deleteAll';

/** What can be done with the open folder, and a new one in it. */
export function FolderActions({ content, folders, folder, onOpen, parent }: Props) {
  const texts = useTexts();
  const { api } = useSession();
  const queries = useQueryClient();
  const show = useNotice();
  const [question, setQuestion] = useState<Question>();
  const move = useMove();
  const may = content.folders;
  const { trash } = content.files;
  const disappear = trash === undefined ? texts.folders.contentsDisappear : texts.fileTrash.disappearWith(trash);
  const close = (): void => setQuestion(undefined);
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: ['files'] });
  const remove = useMutation({
    mutationFn: ({ id, withContents }: { readonly id: number; readonly withContents: boolean }) =>
      deleteFolder(api, id, withContents),
    onSuccess: async () => {
      show({ kind: 'done', text: texts.folders.deleted });
      onOpen(parent);
      await refresh();
    },
    onError: (error) => {
      const isFull = error instanceof RequestError && error.status === CONFLICT;
      if (isFull && content.files.destroy) setQuestion('deleteAll');
      else show({ kind: 'failed', error });
    },
  });
  const button = (label: string, next: Question, className = '') => (
    <button type="button" className={className} disabled={remove.isPending} onClick={() => setQuestion(next)}>
      {label}
    </button>
  );
  return (
    <div className="row">
      {may.create && button(texts.folders.newFolder, 'create')}
      {folder !== undefined && may.update && button(texts.folders.rename, 'rename')}
      {folder !== undefined && may.update && button(texts.folders.moveTo, 'move')}
      {folder !== undefined && may.delete && button(texts.folders.deleteFolder, 'delete', 'danger')}
      {question === 'create' && (
        <NameDialog
          title={texts.folders.newFolder}
          action={texts.common.create}
          name=""
          save={async (name) => {
            const id = await createFolder(api, name, folder?.id ?? null);
            close();
            await refresh();
            onOpen(id);
          }}
          onClose={close}
        />
      )}
      {question === 'rename' && folder !== undefined && (
        <NameDialog
          title={texts.folders.rename}
          action={texts.common.save}
          name={folder.name}
          save={async (name) => {
            await renameFolder(api, folder.id, name);
            close();
            await refresh();
          }}
          onClose={close}
        />
      )}
      {question === 'move' && folder !== undefined && (
        <MoveDialog
          title={texts.folders.moveFolder}
          folders={folders}
          moved={[folder.id]}
          onClose={close}
          onMove={(to) => move({ folders: [folder.id], files: [] }, to)}
        />
      )}
      {(question === 'delete' || question === 'deleteAll') && folder !== undefined && (
        <ConfirmDeletion
          key={question}
          title={question === 'delete' ? texts.folders.askDelete : texts.folders.askContents}
          text={question === 'delete' ? texts.folders.onlyEmpty : disappear}
          keep={texts.common.keepIt}
          {...(question === 'deleteAll' && { action: texts.folders.deleteAll })}
          onClose={close}
          onDelete={() => remove.mutate({ id: folder.id, withContents: question === 'deleteAll' })}
        />
      )}
    </div>
  );
}

interface NameProps {
  readonly title: string;
  readonly action: string;
  readonly name: string;
  readonly save: (name: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for the name of a folder. */
function NameDialog({ title, action, name, save, onClose }: NameProps) {
  const texts = useTexts().common;
  const saving = useMutation({ mutationFn: save });
  const submit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    saving.mutate(String(new FormData(event.currentTarget).get('name')));
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit}>
        <label>
          {texts.name}
          <input name="name" required maxLength={255} defaultValue={name} />
        </label>
        {saving.error !== null && <Failure error={saving.error} />}
        <DialogButtons action={action} isBusy={saving.isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}
