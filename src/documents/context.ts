import type { ContentType, Registry } from '../content-types/types.js';
import type { Shape } from '../mongo/assemble.js';
import type { Store } from '../mongo/store.js';
import type { Selection } from '../query/ast.js';
import type { Validator } from '../validation/validate.js';
import type { Caller } from './caller.js';
import type { DocumentHooks } from './hooks.js';
import type { Interceptor } from './interceptors.js';
import type { Passwords } from './passwords.js';

/** What the operations of the documents service work with. */
export interface DocumentsContext {
  readonly registry: Registry;
  readonly store: Store;
  readonly validator: Validator;
  readonly passwords: Passwords;
  readonly intercept: Interceptor;
  readonly hooks: Required<DocumentHooks>;
}

/** How an entry is wanted: by whom, in which form, and what of it. */
export interface Asked {
  readonly caller: Caller;
  readonly shape: Shape;
  readonly selection: Selection;
  /** What the client wrote as `locale`. */
  readonly locale?: unknown;
}

export type Data = Readonly<Record<string, unknown>>;

/** All entries of a type, nothing of them: what other queries are made from. */
export const everyEntry = (type: ContentType) =>
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
