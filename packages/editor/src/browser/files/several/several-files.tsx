import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { changeFile } from '../../api/files.js';
import { moveTo } from '../../api/folders.js';
import { useSession } from '../../api/session.js';
import { useTexts } from '../../language/language.js';
import type { Folder } from '../../model/library/folders.js';
import { endedIn } from '../../model/library/work.js';
import type { Content } from '../../model/schema.js';
import type { FileRecord } from '../../model/values.js';
import { useNotice } from '../../shell/notices.js';
import { useFileDeletionNotice } from '../../trash/use-deletion-notice.js';
import { ConfirmFileDeletion } from '../confirm-file-deletion.js';
import { MoveDialog } from '../folders/move-dialog.js';
import { DescribeDialog } from './describe-dialog.js';
import type { Several } from './use-several.js';
import { WorkPanel } from './work-panel.js';

interface Props {
  readonly content: Content;
  readonly several: Several;
  readonly files: readonly FileRecord[];
  /** The number of files on all pages; undefined: there are no more than those of the page. */
  readonly total: number | undefined;
  /** Reads those of all pages. */
  readonly readAll: () => Promise<readonly FileRecord[]>;
  /** Undefined: the user may not move files. */
  readonly folders: readonly Folder[] | undefined;
  readonly mayDelete: boolean;
}

/** What can be done with the selected files, and how far it is. */
export function SeveralFiles({ content, several, files, total, readAll, folders, mayDelete }: Props) {
  const texts = useTexts();
  const { api } = useSession();
  const [question, setQuestion] = useState<'move' | 'describe' | 'delete'>();
  const show = useNotice();
  const noticeOf = useFileDeletionNotice(content);
  const close = (): void => setQuestion(undefined);
  const { trash } = content.files;
  const selectAll = useMutation({
    mutationFn: readAll,
    onSuccess: several.selectAll,
    onError: (error) => show({ kind: 'failed', error }),
  });
  const count = files.length;
  const { work, isBusy } = several;
  const announced =
    work !== undefined && isBusy
      ? texts.several.progress[work.kind](endedIn(work), work.jobs.length)
      : count > 0 && texts.several.selected(count);
  return (
    <div className="several">
      <p className="hidden" role="status">
        {announced}
      </p>
      {work !== undefined && <WorkPanel work={work} onStop={several.stop} onClose={several.closeWork} />}
      {count > 0 && (
        <div className="selection" role="region" aria-label={texts.bulk.selection}>
          <strong>{texts.several.selected(count)}</strong>
          {total !== undefined && count < total && (
            <button
              type="button"
              className="quiet"
              disabled={isBusy || selectAll.isPending}
              onClick={() => selectAll.mutate()}
            >
              {texts.several.selectAll(total)}
            </button>
          )}
          {content.files.upload && (
            <button type="button" disabled={isBusy} onClick={() => setQuestion('describe')}>
              {texts.several.describeThem}
            </button>
          )}
          {folders !== undefined && (
            <button type="button" disabled={isBusy} onClick={() => setQuestion('move')}>
              {texts.folders.moveTo}
            </button>
          )}
          {mayDelete && (
            <button type="button" className="danger" disabled={isBusy} onClick={() => setQuestion('delete')}>
              {texts.common.delete}
            </button>
          )}
          <button type="button" className="quiet" onClick={several.clear}>
            {texts.bulk.clear}
          </button>
        </div>
      )}
      {question === 'describe' && (
        <DescribeDialog
          files={files}
          onClose={close}
          onSave={(described) => void several.run('describe', described, ({ id, info }) => changeFile(api, id, info))}
        />
      )}
      {question === 'move' && folders !== undefined && (
        <MoveDialog
          title={texts.several.askMove(count)}
          folders={folders}
          moved={[]}
          onClose={close}
          onMove={(to) => void several.run('move', files, ({ id }) => moveTo(api, { folders: [], files: [id] }, to))}
        />
      )}
      {question === 'delete' && (
        <ConfirmFileDeletion
          content={content}
          files={files}
          title={texts.several.askDelete(count)}
          text={trash === undefined ? texts.several.disappear : texts.fileTrash.disappear(trash)}
          keep={texts.bulk.keepThem}
          onClose={close}
          onDelete={() =>
            void several.run(
              'delete',
              files,
              ({ id }) => api.send('DELETE', `upload/files/${id}`),
              (text, done) =>
                noticeOf(
                  text,
                  done.map(({ id }) => id),
                ),
            )
          }
        />
      )}
    </div>
  );
}
