import type { ContentType, ParameterValues, Registry } from '../content-types/model/types.js';
import type { AccountName } from '../mongo/events/schedules.js';
import type { Store } from '../mongo/store.js';
import type { Filter, Query, Selection } from '../query/ast.js';
import { noValues } from '../query/plugin-parameters.js';
import type { EntryPresenter } from '../query/entry-presenter.js';
import type { Caller } from './caller.js';
import type { Visible } from '../query/narrow.js';
import type { DataBounds } from './input/data-bounds.js';
import type { Validator } from './input/validate/validate.js';
import type { JoinedHooks } from './hooks.js';
import type { Audiences, OwnAnnouncement } from './events/audiences.js';
import type { Action, Interceptor } from './interceptors.js';
import type { ReadContext } from './request-context.js';
import type { ResponseCache, TagsOf } from './response/response-cache.js';
import type { Passwords } from './write/passwords.js';

/** The dependencies of the operations of the documents service. */
export interface DocumentsContext {
  readonly registry: Registry;
  readonly store: Store;
  readonly validator: Validator;
  readonly passwords: Passwords;
  readonly intercept: Interceptor;
  /** Which entries exist for a caller; undefined: all. */
  readonly visibleTo: (caller: Caller) => Visible | undefined;
  /** Which entries of a type a caller can find or write by an action; undefined: all. */
  readonly limitOf: (type: ContentType, action: Action, caller: Caller) => Filter | undefined;
  readonly hooks: JoinedHooks;
  readonly audiences: Audiences;
  /**
   * The caller with the rights that a user or a token has now; undefined: there is none any more, or none that may log
   * in.
   */
  readonly callerOf: (account: AccountName) => Promise<Caller | undefined>;
  readonly dataBounds: DataBounds;
  /** Undefined: nothing is cached. */
  readonly responseCache?: ResponseCache | undefined;
  /** Milliseconds in which no purge can overtake a response. */
  readonly quickRead: number;
  /** Undefined: responses have no tags. */
  readonly cacheTags?: TagsOf | undefined;
  /** Writes are checked and not stored. */
  readonly isDryRun?: boolean;
  /** What follows a write waits for the end of the transaction. */
  readonly isBatch?: boolean;
}

/** A request for one entry: the returned fields and their form. */
export interface EntryRequest extends ReadContext {
  readonly presenter: EntryPresenter;
  readonly selection: Selection;
  readonly parameters?: ParameterValues;
  /** Applies only if one of several entries is read, or an entry can have a working copy. */
  readonly publicationState?: Query['publicationState'];
  /**
   * What is written of an entry that can have a working copy: what is prepared, or all of it to be published. Default:
   * what is published.
   */
  readonly status?: 'draft' | 'published' | undefined;
  /**
   * Project code writes as the system, but the rules of this caller still apply. Default: the caller of the request.
   */
  readonly limitedBy?: Caller;
  /** The data comes from internal code: its lists can have any length. */
  readonly unlimited?: true;
  /** The write is checked and not stored. */
  readonly dryRun?: boolean;
  /**
   * The contents of the event of a write: the `response`, the `entry` alone (default), or an announcement of the
   * caller's own. With `none` webhooks receive nothing; with `untold` code of the project that listens hears of it from
   * the caller.
   */
  readonly event?: 'response' | 'entry' | 'untold' | 'none' | OwnAnnouncement;
}

/** All entries of a type without their attributes, as a base for other queries. */
export const emptyQuery = (type: ContentType) =>
  ({
    type,
    fields: [],
    populate: [],
    filter: undefined,
    sort: [],
    pagination: { form: 'offset', start: 0, limit: 1, withCount: false },
    publicationState: undefined,
    parameters: noValues,
  }) as const;
