import { groupBy } from '../../config/group-by.js';
import type { Registry, ContentType } from '../../content-types/model/types.js';
import { AppError, hasCode } from '../../errors/app-error.js';
import type { LoggedEvent } from '../../mongo/events/logged-events.js';
import type { EventTail } from '../../mongo/events/event-tail.js';
import type { EntryPresenter } from '../../query/entry-presenter.js';
import type { QueryInput } from '../../query/parse/input.js';
import type { QueryLimits } from '../../query/parse/parse-query.js';
import type { Caller } from '../caller.js';
import type { Documents } from '../documents.js';
import { callerKey, createQuota, type QuotaLimits } from '../quota.js';
import { isOwnType, listingOf } from '../listings.js';
import { parseFeed, type FeedView, type ParsedFeed } from './parse-feed.js';
import type { Positions } from './positions.js';

/** A change of what a caller sees. */
export interface FeedChange {
  readonly position: string;
  readonly event: 'entry.create' | 'entry.update' | 'entry.delete';
  readonly uid: string;
  readonly id: number;
  readonly createdAt: Date;
  /** As it is now, if the feed shows entries of its type. */
  readonly entry?: unknown;
}

/** Changes in their order, and the position to go on from. */
export interface ChangePage {
  readonly changes: readonly FeedChange[];
  readonly position: string;
}

export interface FeedRequest {
  /** The contents of the feed; see docs/events.md. */
  readonly input: QueryInput;
  /** The position after which it begins; undefined: now. */
  readonly since: string | undefined;
  /** The present caller. @throws AppError unauthorized */
  readonly authenticate: () => Promise<Caller>;
  /** The client's address; it identifies callers without credentials. */
  readonly address: string;
  /** The form of the entries of a type. */
  readonly presenterOf: (type: ContentType) => EntryPresenter;
  readonly signal: AbortSignal;
}

export interface FeedsOptions {
  readonly registry: Registry;
  readonly documents: Pick<Documents, 'events'>;
  readonly tail: EventTail;
  readonly positions: Positions;
  readonly limits: QueryLimits;
  /** Of this process, and of one caller. */
  readonly maximum: QuotaLimits;
  /** Whether the service itself answers lists of this type, so that a feed bypasses no code of the project. */
  readonly isOffered: (type: ContentType) => boolean;
}

const FULL = 'The server has too many feeds';

/** The change feeds of this process. */
export function createFeeds(options: FeedsOptions) {
  const { registry, tail, positions, limits, maximum, isOffered } = options;
  const closing = new AbortController();
  const quota = createQuota(maximum, FULL);
  return {
    /** @throws AppError badRequest, forbidden, gone, overloaded, tooManyRequests, and those of queries */
    open: async ({ input, since, authenticate, address, presenterOf, signal }: FeedRequest): Promise<Feed> => {
      const caller = await authenticate();
      const types = namedTypes(registry, (type) => isOffered(type) && mayRead(caller, type));
      if (types.size === 0) throw new AppError('forbidden');
      const parsed = parseFeed(input, namedTypes(registry, isOffered), limits);
      requireRights(parsed, caller);
      const allowed = parsed.types.filter((type) => mayRead(caller, type));
      await Promise.all(
        allowed.map(async (type) =>
          options.documents.events.view(parsed.viewOf(type).query, caller, presenterOf(type), []),
        ),
      );
      if (closing.signal.aborted) throw new AppError('overloaded', FULL);
      const leave = quota.take(callerKey(caller, address));
      try {
        const start = since === undefined ? await tail.end() : positions.read(since);
        if (since !== undefined) await tail.check(start);
        const ending = AbortSignal.any([signal, closing.signal]);
        const read = { ...options, parsed, presenterOf, authenticate };
        return openFeed(read, start, ending, leave);
      } catch (error) {
        leave();
        throw error;
      }
    },
    get count() {
      return quota.count;
    },
    /** Ends all of them. */
    close: (): void => closing.abort(),
  };
}

export type Feeds = ReturnType<typeof createFeeds>;

/**
 * Content types that clients can list, by uid and by their name in paths, in lower case; types of the project go before
 * those of plugins.
 */
function namedTypes({ contentTypes }: Registry, isShown: (type: ContentType) => boolean): Map<string, ContentType> {
  const shown = [...contentTypes.values()]
    .filter((type) => listingOf(type) !== undefined && isShown(type))
    .toSorted((a, b) => Number(isOwnType(a)) - Number(isOwnType(b)));
  return new Map(
    shown.flatMap((type) =>
      [listingOf(type)?.name, type.uid].flatMap((key) =>
        key === undefined ? [] : [[key.toLowerCase(), type] as const],
      ),
    ),
  );
}

function mayRead(caller: Caller, type: ContentType): boolean {
  const listing = listingOf(type);
  return listing !== undefined && caller.may(listing.action);
}

function requireRights({ types, isExplicit }: ParsedFeed, caller: Caller): void {
  const allowed = types.filter((type) => mayRead(caller, type));
  if (allowed.length === 0 || (isExplicit && allowed.length < types.length)) throw new AppError('forbidden');
}

interface FeedReading extends Pick<FeedsOptions, 'documents' | 'tail' | 'positions' | 'registry'> {
  readonly parsed: ParsedFeed;
  readonly presenterOf: FeedRequest['presenterOf'];
  readonly authenticate: () => Promise<Caller>;
}

function openFeed(reading: FeedReading, start: number, signal: AbortSignal, leave: () => void) {
  const { tail, positions, parsed, authenticate } = reading;
  const reader = tail.open();
  let position = start;
  return {
    start: positions.write(start),
    /**
     * The next changes, or none after this many milliseconds; undefined: the feed has ended.
     * @throws AppError gone, unauthorized, forbidden, unavailable
     */
    next: async (timeout: number): Promise<ChangePage | undefined> => {
      const until = performance.now() + timeout;
      for (;;) {
        const page = await reader.next(position, Math.max(0, until - performance.now()), signal);
        if (signal.aborted) return undefined;
        // The caller may have lost rights since.
        const caller = await authenticate();
        requireRights(parsed, caller);
        const changes = await changesOf(reading, caller, page.events);
        position = page.position;
        if (changes.length > 0 || performance.now() >= until) return { changes, position: positions.write(position) };
      }
    },
    close: (): void => {
      reader.close();
      leave();
    },
  };
}

export type Feed = ReturnType<typeof openFeed>;

/** The changes of entries that the caller may read: one for each, as it shows the present state. */
async function changesOf(
  reading: FeedReading,
  caller: Caller,
  events: readonly LoggedEvent[],
): Promise<readonly FeedChange[]> {
  const { parsed, registry } = reading;
  const changed = await Promise.all(
    [...groupBy(events, ({ uid }) => registry.contentTypes.get(uid))].map(async ([type, own]) => {
      if (type === undefined || !parsed.types.includes(type) || !mayRead(caller, type)) return [];
      const presenter = reading.presenterOf(type);
      return changesIn({ ...reading, presenter }, caller, parsed.viewOf(type), own);
    }),
  );
  const inOrder = changed.flat().toSorted((a, b) => a.event.position - b.event.position);
  return inOrder.map(({ event: { position, uid, id, at }, name, entry }) => ({
    position: reading.positions.write(position),
    event: name,
    uid,
    id,
    createdAt: at,
    ...(entry !== undefined && { entry }),
  }));
}

interface TypeChange {
  readonly event: LoggedEvent;
  readonly name: FeedChange['event'];
  readonly entry: unknown;
}

async function changesIn(
  reading: Pick<FeedReading, 'documents'> & { readonly presenter: EntryPresenter },
  caller: Caller,
  view: FeedView,
  events: readonly LoggedEvent[],
): Promise<readonly TypeChange[]> {
  const { query, hasEntries } = view;
  try {
    const { entries, left } = await reading.documents.events.view(query, caller, reading.presenter, events);
    const last = new Map(events.map((event) => [event.id, event]));
    const created = new Set(events.flatMap(({ id, action }) => (action === 'create' ? [id] : [])));
    const hidden = new Set(events.flatMap(({ id, position }) => (left.has(position) ? [id] : [])));
    return [...last.values()].flatMap((event): readonly TypeChange[] => {
      const { id } = event;
      if (hidden.has(id)) return [{ event, name: 'entry.delete', entry: undefined }];
      if (!entries.has(id)) return [];
      const name = created.has(id) ? 'entry.create' : 'entry.update';
      return [{ event, name, entry: hasEntries ? entries.get(id) : undefined }];
    });
  } catch (error) {
    if (!hasEntries || !hasCode(error, 'tooCostly', 'answerTooLarge')) throw error;
    // An entry that is larger than a response may be is reported without its content.
    if (events.length === 1) {
      const withoutEntry = { query: { ...query, fields: [], populate: [] }, hasEntries: false };
      return changesIn(reading, caller, withoutEntry, events);
    }
    const half = Math.ceil(events.length / 2);
    return [
      ...(await changesIn(reading, caller, view, events.slice(0, half))),
      ...(await changesIn(reading, caller, view, events.slice(half))),
    ];
  }
}
