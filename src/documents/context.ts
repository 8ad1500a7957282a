import type { ContentType, Registry } from '../content-types/model/types.js';
import type { Shape } from '../mongo/read/assemble.js';
import type { Store } from '../mongo/store.js';
import type { Selection } from '../query/ast.js';
import type { Validator } from './input/validate/validate.js';
import type { Caller } from './caller.js';
import type { JoinedHooks } from './hooks.js';
import type { Interceptor } from './interceptors.js';
import type { Passwords } from './write/passwords.js';

/** What the operations of the documents service work with. */
export interface DocumentsContext {
  readonly registry: Registry;
  readonly store: Store;
  readonly validator: Validator;
  readonly passwords: Passwords;
  readonly intercept: Interceptor;
  readonly hooks: JoinedHooks;
  /** The most entries that one relation or media field of written data may name. */
  readonly relationLimit: number;
}

/** How an entry is wanted: by whom, in which form, and what of it. */
export interface Asked {
  readonly caller: Caller;
  readonly shape: Shape;
  readonly selection: Selection;
  /** What the client wrote as `locale`. */
  readonly locale?: unknown;
  /** The data is not a client's: its lists may have any length. */
  readonly unlimited?: true;
  /** A signed preview link names the entry: it is shown as a draft too. */
  readonly previewed?: boolean;
}

export type Data = Readonly<Record<string, unknown>>;

/** All entries of a type, nothing of them: what other queries are made from. */
export const emptyQuery = (type: ContentType) =>
  ({
    type,
    fields: [],
    populate: [],
    filter: undefined,
    sort: [],
    pagination: { form: 'offset', start: 0, limit: 1, withCount: false },
    publicationState: undefined,
    locale: undefined,
  }) as const;
