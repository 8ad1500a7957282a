import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Inbox, SearchX, Trash2 } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { newAddress, readPage } from '../api/entries.js';
import { readSchedules } from '../api/schedules.js';
import { useSession } from '../api/session.js';
import { bulkActions } from '../model/lists/bulk.js';
import { changeable } from '../model/lists/change.js';
import { listQuery } from '../model/lists/list-query.js';
import {
  columnsOf,
  firstPage,
  formatListState,
  ID,
  parseListState,
  pageSizes,
  sortOf,
  viewOf,
  type ListState,
} from '../model/lists/list-state.js';
import { defaultLocale, ROLE, typeOf, USER, type Content, type ContentType } from '../model/schema.js';
import { useTexts } from '../language/language.js';
import { Choice } from '../inputs/choice.js';
import { useCommands } from '../shell/commands/commands.js';
import { PageButtons } from '../shell/commands/page-buttons.js';
import { useKeysOf } from '../shell/commands/use-keys.js';
import { Empty, Loading, Unread } from '../shell/states.js';
import { pageOf } from '../shell/page-of.js';
import { useTitle } from '../shell/use-title.js';
import { EntryTable } from './entry-table.js';
import { rememberList } from './last-list.js';
import { ListToolbar } from './list-toolbar.js';
import { SelectionBar } from './several/selection-bar.js';
import { useColumns } from './use-columns.js';
import { useViews, ViewTabs } from './views.js';

const [InviteDialog] = pageOf(async () => (await import('../people/invite.js')).InviteDialog);

interface Props {
  readonly content: Content;
  readonly type: ContentType;
  /** Called when the first entries are there. */
  readonly onShown: () => void;
}

/** What is selected of a list with this query string. */
interface Selection {
  readonly search: string;
  /** Of the page. */
  readonly ids: readonly number[];
  /** Those of all pages are. */
  readonly isAll: boolean;
}

/** The entries of a content type. What is shown is in the address. */
export function ListPage({ content, type, onShown }: Props) {
  const texts = useTexts();
  const { api } = useSession();
  const search = useSearch();
  const [, navigate] = useLocation();
  const keysOf = useKeysOf();
  const state = parseListState(search);
  const change = (changes: Partial<ListState>): void => {
    // Another selection begins with its first page.
    const text = formatListState({ ...state, page: 1, ...changes });
    navigate(`/content/${type.path}${text && `?${text}`}`);
  };
  useTitle(type.listName);
  useEffect(() => rememberList(type, search), [type, search]);
  const [chosen, choose] = useColumns(content, type);
  const [views, keepViews] = useViews(content, type.path);
  const shown = viewOf('', state, chosen);
  const columns = useMemo(() => columnsOf(type, chosen), [type, chosen]);
  const query = listQuery(content, type, state, columns);
  const { data, error, isFetching } = useQuery({
    queryKey: ['list', type.path, query],
    queryFn: () => readPage(api, type, query),
    placeholderData: keepPreviousData,
  });
  const isShown = data !== undefined;
  useEffect(() => {
    if (isShown) onShown();
  }, [isShown, onShown]);
  const [selection, setSelection] = useState<Selection>();
  // Lists without a total have one more, which shows that there is another page.
  const entries = useMemo(() => data?.entries.slice(0, state.pageSize) ?? [], [data, state.pageSize]);
  const hasNext = (data?.total ?? 0) > state.page * state.pageSize || (data?.entries.length ?? 0) > state.pageSize;
  const ids = entries.map(({ id }) => id);
  const { data: schedules } = useQuery({
    queryKey: ['list', type.path, 'schedules', ids],
    enabled: ids.length > 0 && bulkActions(type).includes('publish'),
    queryFn: () => readSchedules(api, type, ids),
  });
  const own = selection?.search === search ? selection : undefined;
  // What is not on the page is not selected, unless all that match are.
  const selected = entries.filter(({ id }) => own?.isAll === true || own?.ids.includes(id) === true);
  const isPageSelected = selected.length > 0 && selected.length === entries.length;
  const locale = state.locale === '' ? defaultLocale(content) : state.locale;
  const isFiltered = state.search !== '' || state.filters.length > 0 || state.status !== 'all' || state.isUntranslated;
  const mayCreate = type.actions.includes('create');
  useCommands([
    {
      label: texts.form.newOf(type.entryName),
      shortcut: 'create',
      isEnabled: () => mayCreate,
      run: () => navigate(newAddress(type, locale)),
    },
  ]);
  const create = mayCreate && (
    <Link
      className="button primary"
      href={newAddress(type, locale)}
      title={keysOf('create').written}
      aria-keyshortcuts={keysOf('create').aria}
    >
      {texts.list.newEntry}
    </Link>
  );
  const mayInvite = type.uid === USER && mayCreate && typeOf(content, ROLE) !== undefined;
  const [isInviting, setInviting] = useState(false);
  return (
    <section>
      <header className="title">
        <h1>{type.listName}</h1>
        <span className="quiet-text" role="status">
          {data?.total === undefined ? '' : texts.list.entries(data.total)}
        </span>
        {type.trash !== undefined && (
          <Link
            className="button to-trash"
            href={`/content/${type.path}/trash`}
            aria-label={texts.trash.title}
            title={texts.trash.title}
          >
            <Trash2 size={16} aria-hidden="true" />
            <span>{texts.trash.title}</span>
          </Link>
        )}
        {mayInvite && (
          <button type="button" className="button" onClick={() => setInviting(true)}>
            {texts.invitation.title}
          </button>
        )}
        {create}
      </header>
      <ViewTabs path={type.path} views={views} shown={shown} onOpen={(view) => choose(view.columns)} />
      <ListToolbar
        {...{ content, type, state, locale, columns, chosen, views, shown }}
        onChange={change}
        onChoose={choose}
        onKeep={keepViews}
      />
      {error !== null && <Unread error={error} />}
      {data === undefined && error === null && <Loading isTable />}
      {data !== undefined && entries.length === 0 && (
        <Empty icon={isFiltered ? SearchX : Inbox} title={isFiltered ? texts.list.noMatch : texts.list.noEntries}>
          {isFiltered ? (
            <button type="button" onClick={() => change({ ...firstPage, locale: state.locale })}>
              {texts.list.showAll}
            </button>
          ) : (
            <>
              {type.description !== undefined && <p>{type.description}</p>}
              {create}
            </>
          )}
        </Empty>
      )}
      {entries.length > 0 && (
        <EntryTable
          content={content}
          type={type}
          columns={columns}
          showsIds={chosen?.includes(ID) === true}
          entries={entries}
          schedules={schedules}
          isBusy={isFetching}
          sort={sortOf(type, state.sort)}
          onSort={(sort) => change({ sort })}
          selected={mayChangeSeveral(type) ? new Set(selected.map(({ id }) => id)) : undefined}
          onSelect={(ids) => setSelection({ search, ids, isAll: false })}
        />
      )}
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
      {selected.length > 0 && (
        <SelectionBar
          content={content}
          type={type}
          state={state}
          entries={selected}
          total={isPageSelected && (data?.total ?? 0) > entries.length ? data?.total : undefined}
          isAll={own?.isAll === true}
          onSelectAll={() => setSelection({ search, ids, isAll: true })}
          onDone={() => setSelection(undefined)}
        />
      )}
      {(state.page > 1 || entries.length > 0) && (
        <Pages state={state} total={data?.total} hasNext={hasNext} onChange={change} />
      )}
    </section>
  );
}

const mayChangeSeveral = (type: ContentType): boolean => bulkActions(type).length + changeable(type).length > 0;

function Pages(props: {
  readonly state: ListState;
  readonly total: number | undefined;
  readonly hasNext: boolean;
  readonly onChange: (changes: Partial<ListState>) => void;
}) {
  const texts = useTexts();
  const { page, pageSize } = props.state;
  return (
    <PageButtons
      label={texts.list.pages}
      page={page}
      last={props.total === undefined ? undefined : Math.max(1, Math.ceil(props.total / pageSize))}
      hasNext={props.hasNext}
      onPage={(next) => props.onChange({ page: next })}
    >
      <Choice
        label={texts.list.perPage}
        value={String(pageSize)}
        onChange={(value) => props.onChange({ pageSize: Number(value) })}
        options={pageSizes.map((size) => ({ value: String(size), label: String(size) }))}
      />
    </PageButtons>
  );
}
