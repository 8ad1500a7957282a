import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { formAddress, type Entry } from '../api/entries.js';
import { useSession } from '../api/session.js';
import { DeletedEntry } from './deleted-entry.js';
import { PAGE_SIZE, readTrash, removeForGood, restoreDeleted } from './deleted-entries.js';
import { useTexts } from '../language/language.js';
import { RelativeTime } from '../language/relative-time.js';
import { lastList } from '../list/last-list.js';
import { SearchField } from '../list/search-field.js';
import { WayBack } from '../list/way-back.js';
import type { Content, ContentType } from '../model/schema.js';
import { linkOf } from '../model/values.js';
import { PageButtons } from '../shell/commands/page-buttons.js';
import { ConfirmDeletion } from '../shell/deletion/confirm-deletion.js';
import { useNotice, type Notice } from '../shell/notices.js';
import { Empty, Loading, Unread } from '../shell/states.js';
import { useTitle } from '../shell/use-title.js';

interface Props {
  readonly content: Content;
  readonly type: ContentType;
}

/** What was deleted of a type: it is restored, or deleted for good. */
export function TrashPage({ content, type }: Props) {
  const texts = useTexts();
  const { api } = useSession();
  const queries = useQueryClient();
  const show = useNotice();
  const [, navigate] = useLocation();
  const [page, setPage] = useState(1);
  const [text, setText] = useState('');
  const [shown, look] = useState<Entry>();
  const [removed, askRemove] = useState<Entry>();
  const [isBusy, setBusy] = useState(false);
  const heading = texts.trash.of(type.listName);
  useTitle(heading);
  const { data, error } = useQuery({
    queryKey: ['list', type.path, 'trash', page, text],
    queryFn: () => readTrash(api, type, page, text),
    placeholderData: keepPreviousData,
  });
  const titleOf = (entry: Entry): string => linkOf(content, [type.uid], { ...entry }).title;
  const change = async (work: () => Promise<Notice>): Promise<void> => {
    setBusy(true);
    try {
      show(await work());
    } catch (failure) {
      show({ kind: 'failed', error: failure });
    }
    await queries.invalidateQueries({ queryKey: ['list', type.path] });
    setBusy(false);
  };
  const restore = ({ id }: Entry): Promise<void> =>
    change(async () => {
      const lost = await restoreDeleted(api, type, id);
      const restored = type.draftAndPublish ? texts.trash.restoredAsDraft : texts.trash.restored;
      const open = { label: texts.trash.open, run: () => navigate(formAddress(type, id)) };
      return { kind: 'done', text: lost > 0 ? texts.trash.linksLost(lost) : restored, action: open };
    });
  const remove = ({ id }: Entry): Promise<void> =>
    change(async () => {
      await removeForGood(api, type, id);
      return { kind: 'done', text: texts.trash.removed };
    });
  // The entry of a single type is created by whoever may update it.
  const mayRestore = type.actions.includes(type.kind === 'singleType' ? 'update' : 'create');
  const last = Math.max(1, Math.ceil((data?.total ?? 0) / PAGE_SIZE));
  return (
    <section>
      <WayBack to={lastList(type)} list={type.listName} />
      <header className="title">
        <h1>{heading}</h1>
        <span className="quiet-text" role="status">
          {data === undefined ? '' : texts.list.entries(data.total)}
        </span>
      </header>
      {type.trash !== undefined && <p className="hint">{texts.trash.hint(type.trash)}</p>}
      <div className="toolbar">
        <SearchField
          value={text}
          onChange={(next) => {
            setPage(1);
            setText(next);
          }}
        />
      </div>
      {error !== null && <Unread error={error} />}
      {data === undefined && error === null && <Loading isTable />}
      {data?.entries.length === 0 && (
        <Empty icon={Trash2} title={text === '' ? texts.trash.empty : texts.list.noMatch} />
      )}
      {data !== undefined && data.entries.length > 0 && (
        <div className="scroll" role="region" aria-label={texts.trash.table} tabIndex={0}>
          <table className="entries unsorted">
            <thead>
              <tr>
                <th scope="col">{texts.trash.entry}</th>
                <th scope="col">{texts.trash.deleted}</th>
                <th scope="col">
                  <span className="hidden">{texts.trash.restore}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.entries.map((entry) => (
                <tr key={entry.id}>
                  <td className="name">
                    <button type="button" className="link" onClick={() => look(entry)}>
                      <bdi>{titleOf(entry)}</bdi>
                    </button>
                  </td>
                  <td data-label={texts.trash.deleted} className="time">
                    <RelativeTime value={entry.deletion?.at} />
                    {typeof entry.deletion?.by === 'string' && ` ${texts.form.by(entry.deletion.by)}`}
                  </td>
                  <td>
                    <div className="actions">
                      <button
                        type="button"
                        aria-label={texts.trash.restoreOf(titleOf(entry))}
                        disabled={isBusy || !mayRestore}
                        onClick={() => void restore(entry)}
                      >
                        {texts.trash.restore}
                      </button>
                      <button
                        type="button"
                        className="danger"
                        aria-label={texts.trash.removeOf(titleOf(entry))}
                        disabled={isBusy}
                        onClick={() => askRemove(entry)}
                      >
                        {texts.trash.remove}
                      </button>
                    </div>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {(page > 1 || last > 1) && (
        <PageButtons label={texts.list.pages} {...{ page, last }} hasNext={page < last} onPage={setPage} />
      )}
      {shown !== undefined && (
        <DeletedEntry
          {...{ content, type }}
          id={shown.id}
          title={titleOf(shown)}
          onClose={() => look(undefined)}
          onRestore={
            mayRestore
              ? () => {
                  look(undefined);
                  void restore(shown);
                }
              : undefined
          }
        />
      )}
      {removed !== undefined && (
        <ConfirmDeletion
          title={texts.trash.askRemove(titleOf(removed))}
          text={texts.common.cannotBeRestored}
          keep={texts.common.keepIt}
          action={texts.trash.remove}
          onClose={() => askRemove(undefined)}
          onDelete={() => void remove(removed)}
        />
      )}
    </section>
  );
}
