import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useSession } from '../api/session.js';
import { PAGE_SIZE, removeForGood, restoreDeleted, type Deleted, type DeletedPage } from './deleted-entries.js';
import { useTexts } from '../language/language.js';
import { RelativeTime } from '../language/relative-time.js';
import { SearchField } from '../list/search-field.js';
import { WayBack } from '../list/way-back.js';
import { PageButtons } from '../shell/commands/page-buttons.js';
import { ConfirmDeletion } from '../shell/deletion/confirm-deletion.js';
import { useNotice, type Notice } from '../shell/notices.js';
import { Empty, Loading, Unread } from '../shell/states.js';
import { useTitle } from '../shell/use-title.js';

/** What the trash is of, and what is said about it. */
interface Props<Item extends Deleted> {
  /** The path of the list of what is not deleted, below the API. */
  readonly path: string;
  /** What changes when something is restored. */
  readonly queryKey: readonly string[];
  /** The name of the list that it leads back to, and its address. */
  readonly list: { readonly name: string; readonly address: string };
  /** How long what is deleted is kept. */
  readonly hint: string | undefined;
  readonly counted: (total: number) => string;
  /** The names of the table and of its first column. */
  readonly table: string;
  readonly column: string;
  /** What is said when one was deleted for good. */
  readonly removed: string;
  readonly read: (page: number, text: string) => Promise<DeletedPage<Item>>;
  readonly titleOf: (item: Item) => string;
  /** Beside its title. */
  readonly picture?: (item: Item) => ReactNode;
  readonly mayRestore: boolean;
  /** What is said when one was restored, without this many links of others. */
  readonly restored: (item: Item, lost: number) => Notice;
  /** Shows one in a dialog. `onRestore` is undefined if the user may not restore it. */
  readonly show: (item: Item, onClose: () => void, onRestore: (() => void) | undefined) => ReactNode;
}

/** What was deleted of one list: it is looked at, restored, or deleted for good. */
export function DeletedList<Item extends Deleted>(props: Props<Item>) {
  const { path, queryKey, list, hint, counted, table, column, read, titleOf, picture, mayRestore } = props;
  const texts = useTexts();
  const { api } = useSession();
  const queries = useQueryClient();
  const notify = useNotice();
  const [page, setPage] = useState(1);
  const [text, setText] = useState('');
  const [shown, look] = useState<Item>();
  const [removed, askRemove] = useState<Item>();
  const [isBusy, setBusy] = useState(false);
  const heading = texts.trash.of(list.name);
  useTitle(heading);
  const { data, error } = useQuery({
    queryKey: [...queryKey, 'trash', page, text],
    queryFn: () => read(page, text),
    placeholderData: keepPreviousData,
  });
  const change = async (work: () => Promise<Notice>): Promise<void> => {
    setBusy(true);
    try {
      notify(await work());
    } catch (failure) {
      notify({ kind: 'failed', error: failure });
    }
    await queries.invalidateQueries({ queryKey });
    setBusy(false);
  };
  const restore = (item: Item): Promise<void> =>
    change(async () => props.restored(item, await restoreDeleted(api, path, item.id)));
  const remove = ({ id }: Item): Promise<void> =>
    change(async () => {
      await removeForGood(api, path, id);
      return { kind: 'done', text: props.removed };
    });
  const last = Math.max(1, Math.ceil((data?.total ?? 0) / PAGE_SIZE));
  const close = (): void => look(undefined);
  return (
    <section>
      <WayBack to={list.address} list={list.name} />
      <header className="title">
        <h1>{heading}</h1>
        <span className="quiet-text" role="status">
          {data === undefined ? '' : counted(data.total)}
        </span>
      </header>
      {hint !== undefined && <p className="hint">{hint}</p>}
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
      {data?.items.length === 0 && <Empty icon={Trash2} title={text === '' ? texts.trash.empty : texts.list.noMatch} />}
      {data !== undefined && data.items.length > 0 && (
        <div className="scroll" role="region" aria-label={table} tabIndex={0}>
          <table className="entries unsorted">
            <thead>
              <tr>
                <th scope="col">{column}</th>
                <th scope="col">{texts.trash.deleted}</th>
                <th scope="col">
                  <span className="hidden">{texts.trash.restore}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.items.map((item) => (
                <tr key={item.id}>
                  <td className="name">
                    <button type="button" className="link" onClick={() => look(item)}>
                      {picture?.(item)}
                      <bdi>{titleOf(item)}</bdi>
                    </button>
                  </td>
                  <td data-label={texts.trash.deleted} className="time">
                    <RelativeTime value={item.deletion?.at} />
                    {typeof item.deletion?.by === 'string' && ` ${texts.form.by(item.deletion.by)}`}
                  </td>
                  <td>
                    <div className="actions">
                      <button
                        type="button"
                        aria-label={texts.trash.restoreOf(titleOf(item))}
                        disabled={isBusy || !mayRestore}
                        onClick={() => void restore(item)}
                      >
                        {texts.trash.restore}
                      </button>
                      <button
                        type="button"
                        className="danger"
                        aria-label={texts.trash.removeOf(titleOf(item))}
                        disabled={isBusy}
                        onClick={() => askRemove(item)}
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
      {shown !== undefined &&
        props.show(
          shown,
          close,
          mayRestore
            ? () => {
                close();
                void restore(shown);
              }
            : undefined,
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
