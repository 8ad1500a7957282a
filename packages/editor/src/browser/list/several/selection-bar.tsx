import { messageOf } from '../../language/message-of.js';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { RequestError } from '../../api/api.js';
import type { Entry } from '../../api/entries.js';
import { useSession } from '../../api/session.js';
import { useTexts } from '../../language/language.js';
import {
  bulkActions,
  byEntry,
  changedBy,
  operationsOf,
  refusalsOf,
  type BulkAction,
  type RefusedEntry,
} from '../../model/lists/bulk.js';
import { changeable } from '../../model/lists/change.js';
import type { ListState } from '../../model/lists/list-state.js';
import type { Content, ContentType } from '../../model/schema.js';
import { Dialog } from '../../shell/dialog.js';
import { useNotice } from '../../shell/notices.js';
import { useDeletionNotice } from '../../trash/use-deletion-notice.js';
import { Question, QuestionOfAll } from './questions.js';
import { RefusalList } from './refusal-list.js';
import { actionTask, sendBatch, undoTask } from './tasks.js';
import { useTasks } from './use-tasks.js';

/** A list does not need the inputs of forms. */
const ScheduleSeveral = lazy(async () => ({ default: (await import('./schedule-several.js')).ScheduleSeveral }));
const ChangeValue = lazy(async () => ({ default: (await import('./change-value.js')).ChangeValue }));

interface Props {
  readonly content: Content;
  readonly type: ContentType;
  readonly state: ListState;
  /** The selected ones of the page. */
  readonly entries: readonly Entry[];
  /** All entries that the list has on all of its pages; undefined: there are no more than those of the page. */
  readonly total: number | undefined;
  /** Those of the other pages are selected too. */
  readonly isAll: boolean;
  readonly onSelectAll: () => void;
  readonly onDone: () => void;
}

interface Refused {
  readonly action: BulkAction;
  readonly refused: readonly RefusedEntry<Entry>[];
  readonly count: number;
}

/** Changes the selected entries in one batch: all of them, or none. All that match are changed a portion at a time. */
export function SelectionBar({ content, type, state, entries, total, isAll, onSelectAll, onDone }: Props) {
  const all = useTexts();
  const { bulk: texts, inputs } = all;
  const { api } = useSession();
  const deletion = useDeletionNotice(type);
  const queries = useQueryClient();
  const show = useNotice();
  const tasks = useTasks();
  const [asked, ask] = useState<BulkAction>();
  const [open, setOpen] = useState<'change' | 'schedule'>();
  const [isWriting, setWriting] = useState(false);
  const [refused, setRefused] = useState<Refused>();
  const isBusy = isWriting || tasks.isBusy;
  const matching = { content, type, state };
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: ['list', type.path] });
  const run = async (action: BulkAction): Promise<void> => {
    const sent = changedBy(action, entries);
    setWriting(true);
    show(undefined);
    try {
      const results = await sendBatch(api, operationsOf(type, action, sent));
      const text = texts.done[action](sent.length);
      const written = sent.map((item, index) => ({ item, result: results[index] }));
      const undo = action === 'delete' ? undefined : undoTask(api, type, action, written);
      const undoing = undo && { action: { label: inputs.undo, run: () => tasks.begin(undo) } };
      show(action === 'delete' ? deletion(text, sent) : { kind: 'done', text, ...undoing });
      onDone();
      await refresh();
    } catch (error) {
      const refusals =
        error instanceof RequestError
          ? refusalsOf(error)
          : [{ index: undefined, issue: { path: '', message: messageOf(all, error) } }];
      setRefused({ action, refused: byEntry(refusals, sent), count: sent.length });
    }
    setWriting(false);
  };
  const close = (): void => ask(undefined);
  const several = {
    matching,
    ids: isAll ? undefined : new Set(entries.map(({ id }) => id)),
    total: isAll ? (total ?? entries.length) : entries.length,
    onClose: () => setOpen(undefined),
    onBegin: onDone,
  };
  return (
    <div className="selection" role="region" aria-label={texts.selection}>
      <strong role="status">{isAll ? texts.all(total ?? entries.length) : texts.selected(entries.length)}</strong>
      {!isAll && total !== undefined && (
        <button type="button" className="quiet" onClick={onSelectAll}>
          {texts.selectAll(total)}
        </button>
      )}
      {changeable(type).length > 0 && (
        <button type="button" disabled={isBusy} onClick={() => setOpen('change')}>
          {texts.changeValue}
        </button>
      )}
      {bulkActions(type).includes('publish') && (
        <button type="button" disabled={isBusy} onClick={() => setOpen('schedule')}>
          {all.schedule.schedule}
        </button>
      )}
      {bulkActions(type).map((action) => (
        <button
          key={action}
          type="button"
          className={action === 'delete' ? 'danger' : ''}
          disabled={isBusy || (!isAll && changedBy(action, entries).length === 0)}
          onClick={() => ask(action)}
        >
          {texts.actions[action]}
        </button>
      ))}
      <button type="button" className="quiet" onClick={onDone}>
        {texts.clear}
      </button>
      {asked !== undefined && !isAll && (
        <Question
          content={content}
          type={type}
          action={asked}
          entries={changedBy(asked, entries)}
          onClose={close}
          onConfirm={() => void run(asked)}
        />
      )}
      {asked !== undefined && isAll && (
        <QuestionOfAll
          matching={matching}
          total={total ?? entries.length}
          action={asked}
          onClose={close}
          onConfirm={(all) => {
            onDone();
            tasks.begin(actionTask(api, matching, asked, all));
          }}
        />
      )}
      {open !== undefined && (
        <Suspense>{open === 'change' ? <ChangeValue {...several} /> : <ScheduleSeveral {...several} />}</Suspense>
      )}
      {refused !== undefined && (
        <Dialog
          title={texts.refused[refused.action]}
          onClose={() => {
            setRefused(undefined);
            // What the report names may have been deleted by others.
            void refresh();
          }}
        >
          <p>{texts.noneChanged(refused.count)}</p>
          <RefusalList
            content={content}
            type={type}
            isPublication={refused.action === 'publish'}
            refused={refused.refused}
          />
        </Dialog>
      )}
    </div>
  );
}
