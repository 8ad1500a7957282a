import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { RequestError } from '../api/api.js';
import { formAddress, type Entry } from '../api/entries.js';
import { useSession } from '../api/session.js';
import {
  bulkActions,
  changedBy,
  operationsOf,
  refusalsOf,
  stateOf,
  type BulkAction,
  type Refusal,
} from '../model/lists/bulk.js';
import type { Content, ContentType } from '../model/schema.js';
import { linkOf } from '../model/values.js';
import { ConfirmDeletion } from '../shell/confirm-deletion.js';
import { Dialog } from '../shell/dialog.js';
import { useTexts } from '../language/language.js';
import { messageOf, useNotice } from '../shell/notices.js';
import { useDeletionNotice } from '../trash/use-deletion-notice.js';
import { Status } from './cell.js';
import { RefusalList } from './refusal-list.js';

interface Props {
  readonly content: Content;
  readonly type: ContentType;
  readonly entries: readonly Entry[];
  readonly onDone: () => void;
}

interface Refused {
  readonly action: BulkAction;
  readonly refusals: readonly Refusal[];
  readonly sent: readonly Entry[];
}

/** Changes the selected entries in one batch: all of them, or none. */
export function SelectionBar({ content, type, entries, onDone }: Props) {
  const { bulk: texts, trash } = useTexts();
  const { api } = useSession();
  const deletion = useDeletionNotice(type);
  const queries = useQueryClient();
  const show = useNotice();
  const [asked, ask] = useState<BulkAction>();
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<Refused>();
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: ['list', type.path] });
  const run = async (action: BulkAction): Promise<void> => {
    const sent = changedBy(action, entries);
    setBusy(true);
    show(undefined);
    try {
      const operations = operationsOf(type, action, sent);
      await api.send('POST', 'batch', { body: { operations } });
      const text = texts.done[action](sent.length);
      show(action === 'delete' ? deletion(text, sent) : { kind: 'done', text });
      onDone();
      await refresh();
    } catch (error) {
      const refusals =
        error instanceof RequestError
          ? refusalsOf(error)
          : [{ index: undefined, issue: { path: '', message: messageOf(error) } }];
      setRefused({ action, refusals, sent });
    }
    setBusy(false);
  };
  return (
    <div className="selection" role="region" aria-label={texts.selection}>
      <strong>{texts.selected(entries.length)}</strong>
      {bulkActions(type).map((action) => (
        <button
          key={action}
          type="button"
          className={action === 'delete' ? 'danger' : ''}
          disabled={isBusy || changedBy(action, entries).length === 0}
          onClick={() => ask(action)}
        >
          {texts.actions[action]}
        </button>
      ))}
      <button type="button" className="quiet" onClick={onDone}>
        {texts.clear}
      </button>
      {asked === 'delete' && (
        <ConfirmDeletion
          title={texts.askDelete(entries.length)}
          text={type.trash === undefined ? texts.cannotBeRestored : trash.keepsThem(type.trash)}
          keep={texts.keepThem}
          onClose={() => ask(undefined)}
          onDelete={() => void run('delete')}
        />
      )}
      {(asked === 'publish' || asked === 'unpublish') && (
        <ConfirmPublication
          content={content}
          type={type}
          action={asked}
          entries={changedBy(asked, entries)}
          onClose={() => ask(undefined)}
          onConfirm={() => {
            ask(undefined);
            void run(asked);
          }}
        />
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
          <p>{texts.noneChanged(refused.sent.length)}</p>
          <RefusalList content={content} type={type} {...refused} />
        </Dialog>
      )}
    </div>
  );
}

/** Names what readers see afterwards, or see no more. */
function ConfirmPublication(props: {
  readonly content: Content;
  readonly type: ContentType;
  readonly action: 'publish' | 'unpublish';
  readonly entries: readonly Entry[];
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}) {
  const { content, type, action, entries, onClose, onConfirm } = props;
  const texts = useTexts();
  return (
    <Dialog title={texts.publication.ask[action](entries.length)} onClose={onClose}>
      <p>{texts.publication.follows[action]}</p>
      <ul className="named">
        {entries.map((entry) => (
          <li key={entry.id}>
            <Link href={formAddress(type, entry.id)}>{linkOf(content, [type.uid], { ...entry }).title}</Link>
            <Status state={stateOf(entry)} />
          </li>
        ))}
      </ul>
      <div className="actions">
        <button type="button" onClick={onClose}>
          {texts.common.cancel}
        </button>
        <button type="button" className="primary" onClick={onConfirm}>
          {texts.bulk.actions[action]}
        </button>
      </div>
    </Dialog>
  );
}
