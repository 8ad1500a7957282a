import { both, mapRelated, type PublicationState, type Query, type Selection } from '../query/ast.js';
import { alternativesOf } from '../query/plugin-parameters.js';
import type { EntryPresenter } from '../query/entry-presenter.js';
import type { ContentType } from '../content-types/model/types.js';
import type { Caller } from './caller.js';

/** The operation: a list, one entry by its id or by a key, the entry of a single type, or the answer to a write. */
export type Action = 'find' | 'findOne' | 'findByKey' | 'findSingle' | 'create' | 'update' | 'delete';

/** The actions that read the results of a query: published and in one locale, unless the query specifies otherwise. */
export type QueryAction = 'find' | 'findByKey' | 'findSingle';

export const isQuery = (action: Action): action is QueryAction =>
  action === 'find' || action === 'findByKey' || action === 'findSingle';

/**
 * Rewrites a query before it is compiled: adds conditions, removes populated relations, or refuses it by throwing an
 * AppError. Pure and synchronous.
 */
export interface Interceptor {
  (query: Query, context: InterceptorContext): Query;
  /** What it depends on besides its arguments, as a value that is replaced when it changes; default: nothing. */
  readonly state?: () => unknown;
}

/** The operation, its caller, and the presentation of its result. */
export interface InterceptorContext {
  readonly action: Action;
  readonly caller: Caller;
  /** Undefined if no entry is returned. */
  readonly presenter?: Pick<EntryPresenter, 'locales'>;
  /** The entry can be a draft, whatever the caller's permissions: a signed preview link names it. */
  readonly previewed?: boolean;
}

/** Runs the interceptors in order. At most one may have a state. @throws TypeError if several have */
export function chain(interceptors: readonly Interceptor[]): Interceptor {
  const [state, ...others] = interceptors.flatMap((interceptor) => interceptor.state ?? []);
  if (others.length > 0) throw new TypeError('Only one interceptor may have a state');
  const intercept: Interceptor = (query, context) =>
    interceptors.reduce((result, next) => next(result, context), query);
  return Object.assign(intercept, state && { state });
}

/**
 * Imposes the publication state, as recorded from Strapi v4: lists, single types and entries by a key are live at every level unless a
 * level says otherwise, which then holds below it; one entry by its id imposes nothing. A preview link shows the entry itself in any
 * state, and its relations as usual.
 */
export const imposePublicationState: Interceptor = (query, { action, previewed = false }) => {
  const state = publicationStateOf(query, action);
  const filter = previewed ? query.filter : both(query.filter, liveFilter(query.type, state));
  return { ...query, ...imposeOn(query, state), filter };
};

/** The state that a query imposes at its first level: one entry by its id can stand for several. */
export const publicationStateOf = (query: Query, action: Action): PublicationState =>
  isQuery(action) || alternativesOf(query) !== undefined ? (query.publicationState ?? 'live') : undefined;

const liveFilter = ({ draftAndPublish }: ContentType, state: PublicationState): Query['filter'] =>
  state === 'live' && draftAndPublish ? { kind: 'live' } : undefined;

const imposeOn = <S extends Selection>(selection: S, above: PublicationState): S =>
  mapRelated(selection, (query, type) => {
    const state = query.publicationState ?? above;
    return { ...imposeOn(query, state), filter: both(query.filter, liveFilter(type, state)) };
  });
