import { LockKeyhole, Plus } from 'lucide-react';
import { Link } from 'wouter';
import { useSession } from '../api/session.js';
import { useTexts } from '../language/language.js';
import type { Content, ContentType } from '../model/schema.js';
import { Empty, Loading, Unread } from '../shell/states.js';
import { useTitle } from '../shell/use-title.js';
import { UnsavedList } from '../unsaved/unsaved-list.js';
import { FirstSteps } from './first-steps.js';
import { RecentEntries } from './recent-entries.js';
import { ReviewLists } from './review-lists.js';
import {
  latest,
  next,
  pickFrom,
  rowsOf,
  totalOf,
  useChanged,
  useDesk,
  useDraftsOf,
  useNamed,
  useScheduled,
  without,
} from './use-recent.js';

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
  const desk = useDesk();
  const withDrafts = listed.filter(
    (type) => type.kind === 'collectionType' && type.draftAndPublish && type.hidesDrafts !== true,
  );
  const told = desk.data ?? {};
  const untold = useChanged(
    desk.data === undefined ? [] : listed.filter(({ uid }) => told[uid]?.changed === undefined),
  );
  const mine = useDraftsOf(withDrafts, ({ uid }) => told[uid]?.drafts?.own ?? []);
  const others = useDraftsOf(desk.data === undefined ? [] : withDrafts, ({ uid }) => told[uid]?.drafts?.others);
  const named = useNamed(listed, ({ uid }) => {
    const { waiting = [], back = [], published = [], drafts, changed = [] } = told[uid] ?? {};
    return [...[...waiting, ...back, ...published].map(({ id }) => id), ...(drafts?.prepared ?? []), ...changed];
  });
  const prepared = pickFrom(named.read, ({ uid }) => told[uid]?.drafts?.prepared ?? []);
  const changed = [...untold.read, ...pickFrom(named.read, ({ uid }) => told[uid]?.changed ?? [])];
  const scheduled = useScheduled(listed);
  const error = desk.error ?? untold.error ?? named.error ?? mine.error ?? others.error ?? scheduled.error;
  const isPending = [desk, untold, named, mine, others, scheduled].some((read) => read.isPending);
  const waiting = rowsOf(named.read, told, (one) => one.waiting, 'oldest');
  const back = rowsOf(named.read, told, (one) => one.back, 'newest');
  const published = rowsOf(named.read, told, (one) => one.published, 'newest');
  const shown = {
    mine: latest(without([...mine.read, ...prepared], back)),
    others: latest(without(others.read, waiting)),
    scheduled: next(scheduled.read),
  };
  const countOf = (type: ContentType): number | undefined => told[type.uid]?.total ?? totalOf(untold.read, type);
  const isEmpty =
    !isPending &&
    untold.read.every(({ entries }) => entries.length === 0) &&
    !Object.values(told).some(({ total = 0 }) => total > 0);
  return (
    <section>
      <header className="title">
        <h1>{texts.shell.welcome(user?.username ?? '')}</h1>
      </header>
      {content.contentTypes.length === 0 && <Empty icon={LockKeyhole} title={texts.shell.noContent} />}
      {error !== null && <Unread error={error} />}
      {isEmpty && error === null && <FirstSteps content={content} types={types} />}
      <ul className="tiles">
        {types.map((type) => (
          <Tile
            key={type.uid}
            content={content}
            type={type}
            count={type.kind === 'singleType' ? undefined : countOf(type)}
            drafts={told[type.uid]?.drafts?.total ?? totalOf(others.read, type)}
          />
        ))}
      </ul>
      {isPending && error === null && <Loading />}
      {/* All at once: none of them moves another. */}
      {!isPending && (
        <div className="halves">
          <ReviewLists content={content} waiting={waiting} back={back} published={published} />
          <UnsavedList content={content} />
          <RecentEntries content={content} title={texts.home.mine} kind="drafts" entries={shown.mine} />
          <RecentEntries
            content={content}
            title={shown.mine.length > 0 ? texts.home.otherDrafts : texts.list.drafts}
            kind="drafts"
            entries={shown.others}
          />
          <RecentEntries content={content} title={texts.home.scheduled} kind="scheduled" entries={shown.scheduled} />
          <RecentEntries
            content={content}
            title={texts.home.changed}
            kind="changed"
            entries={latest(without(changed, [...Object.values(shown).flat(), ...waiting, ...back, ...published]))}
          />
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
