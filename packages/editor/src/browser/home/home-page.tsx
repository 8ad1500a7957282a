import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { LockKeyhole, Plus } from 'lucide-react';
import { Link } from 'wouter';
import { readPage, type Entry, type Page } from '../api/entries.js';
import { aheadOf, readSchedules, type Times } from '../api/schedules.js';
import { useSession } from '../api/session.js';
import { useTexts } from '../language/language.js';
import { bulkActions } from '../model/bulk.js';
import { recentQuery } from '../model/list-state.js';
import type { Content, ContentType } from '../model/schema.js';
import { Empty, Loading, Unread } from '../shell/states.js';
import { useTitle } from '../shell/use-title.js';
import { RecentEntries, type Recent } from './recent-entries.js';

interface Read extends Page {
  readonly type: ContentType;
  readonly schedules: ReadonlyMap<number, Times>;
}

/** The first page: what there is, what waits to be published, and what was changed last. */
export function HomePage({ content }: { readonly content: Content }) {
  const texts = useTexts();
  const { user } = useSession();
  useTitle(texts.home.title);
  const types = content.contentTypes
    .filter(({ plain, actions }) => !plain && actions.length > 0)
    // Collections, then single pages, as in the menu.
    .toSorted((left, right) => left.kind.localeCompare(right.kind));
  const listed = types.filter(({ actions }) => actions.includes('find'));
  const changed = useRecent(listed);
  const own = useOwnDrafts();
  const ownOf = ({ uid }: ContentType): readonly number[] => own.data?.[uid] ?? [];
  const withDrafts = listed.filter(
    (type) => type.kind === 'collectionType' && type.draftAndPublish && type.hidesDrafts !== true,
  );
  const mine = useRecent(
    withDrafts.filter((type) => ownOf(type).length > 0),
    (type) => ({ $in: ownOf(type) }),
  );
  const others = useRecent(own.isPending ? [] : withDrafts, (type) => ({ $notIn: ownOf(type) }));
  const scheduled = useScheduled(listed);
  const error = changed.error ?? own.error ?? mine.error ?? others.error ?? scheduled.error;
  const isPending = [changed, own, mine, others, scheduled].some((read) => read.isPending);
  const isEmpty = !changed.isPending && changed.read.every(({ entries }) => entries.length === 0);
  return (
    <section>
      <header className="title">
        <h1>{texts.shell.welcome(user?.username ?? '')}</h1>
      </header>
      {content.contentTypes.length === 0 && <Empty icon={LockKeyhole} title={texts.shell.noContent} />}
      {error !== null && <Unread error={error} />}
      {isEmpty && error === null && listed.length > 0 && <p>{texts.home.nothingYet}</p>}
      <ul className="tiles">
        {types.map((type) => (
          <Tile
            key={type.uid}
            content={content}
            type={type}
            count={totalOf(changed.read, type)}
            drafts={totalOf([...mine.read, ...others.read], type)}
          />
        ))}
      </ul>
      {isPending && error === null && <Loading />}
      {/* All at once: none of them moves another. */}
      {!isPending && (
        <div className="halves">
          <RecentEntries content={content} title={texts.home.myDrafts} kind="drafts" entries={latest(mine.read)} />
          <RecentEntries
            content={content}
            title={mine.read.length > 0 ? texts.home.otherDrafts : texts.list.drafts}
            kind="drafts"
            entries={latest(others.read)}
          />
          <RecentEntries
            content={content}
            title={texts.home.scheduled}
            kind="scheduled"
            entries={next(scheduled.read)}
          />
          <RecentEntries content={content} title={texts.home.changed} kind="changed" entries={latest(changed.read)} />
        </div>
      )}
    </section>
  );
}

interface TileProps {
  readonly content: Content;
  readonly type: ContentType;
  /** Undefined: not known yet. */
  readonly count: number | undefined;
  readonly drafts: number | undefined;
}

function Tile({ content, type, count, drafts }: TileProps) {
  const texts = useTexts();
  const address = `/content/${type.path}`;
  const newOf = texts.form.newOf(type.entryName);
  const isInAll = type.localized && content.locales.length > 1;
  return (
    <li>
      <h2>
        <Link href={address}>{type.listName}</Link>
      </h2>
      <p className="quiet-text">
        {type.kind === 'singleType' && texts.home.single}
        {count !== undefined && (isInAll ? texts.home.inAllLocales(count) : texts.list.entries(count))}
        {drafts !== undefined && drafts > 0 && (
          <>
            {' · '}
            <Link href={`${address}?status=draft`}>{texts.home.drafts(drafts)}</Link>
          </>
        )}
      </p>
      {type.actions.includes('create') && (
        <Link className="button" href={`${address}/new`} aria-label={newOf} title={newOf}>
          <Plus size={18} aria-hidden="true" />
        </Link>
      )}
    </li>
  );
}

/** The ids of the drafts, by content type, that the user created or last changed. */
function useOwnDrafts() {
  const { api } = useSession();
  return useQuery({
    queryKey: ['list', 'own drafts'],
    queryFn: async () =>
      ((await api.get('admin/drafts')).body as { readonly data: Readonly<Record<string, readonly number[]>> }).data,
  });
}

/** Reads the entries of each type that were changed last, or, with a condition on their ids, its drafts with their schedules. */
function useRecent(types: readonly ContentType[], draftsWith?: (type: ContentType) => object) {
  const { api } = useSession();
  const read = async (type: ContentType, query: object): Promise<Read> => {
    const page = await readPage(api, type, query);
    const ids = page.entries.map(({ id }) => id);
    const isScheduled = draftsWith !== undefined && bulkActions(type).includes('publish');
    const schedules = isScheduled && ids.length > 0 ? await readSchedules(api, type, ids) : new Map<number, Times>();
    return { ...page, type, schedules };
  };
  return useQueries({
    queries: types.map((type) => {
      const id = draftsWith?.(type);
      const query = recentQuery(type, id && { publishedAt: { $null: true }, id });
      return { queryKey: ['list', type.path, 'recent', query], queryFn: () => read(type, query) };
    }),
    combine,
  });
}

const combine = (results: readonly UseQueryResult<Read>[]) => ({
  read: results.flatMap(({ data }) => data ?? []),
  error: results.find(({ error }) => error !== null)?.error ?? null,
  isPending: results.some(({ isPending }) => isPending),
});

/** Reads the entries of each type that are published or unpublished next. */
function useScheduled(types: readonly ContentType[]) {
  const { api } = useSession();
  const read = async (type: ContentType): Promise<Read> => {
    const schedules = await readSchedules(api, type);
    const soonest = [...schedules.keys()].slice(0, SHOWN);
    if (soonest.length === 0) return { type, schedules, entries: [], total: 0 };
    return { ...(await readPage(api, type, recentQuery(type, { id: { $in: soonest } }))), type, schedules };
  };
  return useQueries({
    queries: types
      .filter((type) => type.kind === 'collectionType' && bulkActions(type).includes('publish'))
      .map((type) => ({ queryKey: ['list', type.path, 'scheduled'], queryFn: () => read(type) })),
    combine,
  });
}

/** Undefined for single types, and until it is read. */
function totalOf(reads: readonly Read[], { uid }: ContentType): number | undefined {
  const totals = reads.flatMap(({ type, total }) => (type.uid === uid && total !== undefined ? [total] : []));
  return totals.length === 0 ? undefined : totals.reduce((sum, total) => sum + total);
}

const SHOWN = 8;
const timeIn = ({ attributes }: Entry): number => Date.parse(String(attributes['updatedAt'])) || 0;

const allIn = (reads: readonly Read[]): readonly Recent[] =>
  reads.flatMap(({ type, entries, schedules }) =>
    entries.map((entry) => ({ type, entry, times: schedules.get(entry.id) })),
  );

/** The latest entries of all types. */
const latest = (reads: readonly Read[]): readonly Recent[] =>
  allIn(reads)
    .toSorted((left, right) => timeIn(right.entry) - timeIn(left.entry))
    .slice(0, SHOWN);

/** When an entry is published or unpublished next. */
function nextIn({ entry, times }: Recent): number {
  const ahead = times && aheadOf(times, entry.attributes['publishedAt'] === null);
  return Math.min(...[ahead?.publishAt, ahead?.unpublishAt].map((time) => Date.parse(time ?? '') || Infinity));
}

/** The entries of all types that are published or unpublished next. */
const next = (reads: readonly Read[]): readonly Recent[] =>
  allIn(reads)
    .filter((one) => nextIn(one) < Infinity)
    .toSorted((left, right) => nextIn(left) - nextIn(right))
    .slice(0, SHOWN);
