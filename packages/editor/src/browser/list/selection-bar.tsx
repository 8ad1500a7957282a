import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { RequestError } from '../api/api.js';
import { formAddress, type Entry } from '../api/entries.js';
import { useSession } from '../api/session.js';
import { bulkActions, changedBy, operationsOf, refusalsOf, type BulkAction, type Refusal } from '../model/bulk.js';
import type { Content, ContentType } from '../model/schema.js';
import { linkOf } from '../model/values.js';
import { ConfirmDeletion } from '../shell/confirm-deletion.js';
import { Dialog } from '../shell/dialog.js';
import { useTexts } from '../language/language.js';
import { messageOf, useNotice } from '../shell/notices.js';

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
  const texts = useTexts().bulk;
  const { api } = useSession();
  const queries = useQueryClient();
  const show = useNotice();
  const [isDeleting, setDeleting] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<Refused>();
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: ['list', type.path] });
  const run = async (action: BulkAction): Promise<void> => {
    const sent = changedBy(action, entries);
    setBusy(true);
    try {
      const operations = operationsOf(type, action, sent, new Date());
      await api.send('POST', 'batch', { body: { operations } });
      show({ kind: 'done', text: texts.done[action](sent.length) });
      onDone();
      await refresh();
    } catch (error) {
      const refusals =
        error instanceof RequestError ? refusalsOf(error) : [{ index: undefined, message: messageOf(error) }];
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
          onClick={() => (action === 'delete' ? setDeleting(true) : void run(action))}
        >
          {texts.actions[action]}
        </button>
      ))}
      <button type="button" className="quiet" onClick={onDone}>
        {texts.clear}
      </button>
      {isDeleting && (
        <ConfirmDeletion
          title={texts.askDelete(entries.length)}
          text={texts.cannotBeRestored}
          keep={texts.keepThem}
          onClose={() => setDeleting(false)}
          onDelete={() => void run('delete')}
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
          <ul>
            {refused.refusals.map(({ index, message }) => {
              const entry = index === undefined ? undefined : refused.sent[index];
              return (
                <li key={`${index} ${message}`}>
                  {entry !== undefined && (
                    <>
                      <Link href={formAddress(type, entry.id)}>{linkOf(content, [type.uid], { ...entry }).title}</Link>
                      {': '}
                    </>
                  )}
                  <span className="issue">{message}</span>
                </li>
              );
            })}
          </ul>
        </Dialog>
      )}
    </div>
  );
}
