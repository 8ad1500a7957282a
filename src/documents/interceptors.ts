import {
  both,
  mapPaths,
  mapRelated,
  stateBelow,
  type PublicationState,
  type Query,
  type Selection,
} from '../query/ast.js';
import { alternativesOf } from '../query/plugin-parameters.js';
import type { EntryPresenter } from '../query/entry-presenter.js';
import { narrowPath } from '../query/narrow.js';
import type { ContentType } from '../content-types/model/types.js';
import { type Caller, hasRules, hasSameRights, observeRights, type CheckedRights } from './caller.js';

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
  /** It reads who the caller is, so it runs for each request; absent: only the rights and the kind of the caller. */
  readonly isPersonal?: true;
}

/** The operation, its caller, and the presentation of its result. */
interface InterceptorContext {
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
  const isPersonal = interceptors.some((interceptor) => interceptor.isPersonal);
  return Object.assign(intercept, state && { state }, isPersonal && ({ isPersonal } as const));
}

/**
 * Imposes the publication state as Strapi v4 does (corpus: 15-publication/10-state): lists, single types and entries by
 * a key are live at every level unless a level says otherwise, which then holds below it; one entry by its id imposes
 * nothing. A preview link shows the entry itself in any state, and its relations as usual.
 */
export const imposePublicationState: Interceptor = (query, { action, previewed = false }) => {
  const state = publicationStateOf(query, action);
  const filter = previewed ? query.filter : both(query.filter, liveFilter(query.type, state));
  const { aggregate } = query;
  // Groups show values of related entries, as populated relations do.
  const shown = aggregate && {
    aggregate: mapPaths(aggregate, (path) => narrowPath(path, (type) => liveFilter(type, state))),
  };
  return { ...query, ...imposeOn(query, state), filter, ...shown };
};

/**
 * The state that a query imposes at its first level: one entry by its id can stand for several, or a status says it.
 */
export function publicationStateOf(query: Query, action: Action): PublicationState {
  if (isQuery(action) || alternativesOf(query) !== undefined) return query.publicationState ?? 'live';
  return action === 'findOne' ? query.publicationState : undefined;
}

const liveFilter = ({ draftAndPublish }: ContentType, state: PublicationState): Query['filter'] =>
  state === 'live' && draftAndPublish ? { kind: 'live' } : undefined;

const imposeOn = <S extends Selection>(selection: S, above: PublicationState): S =>
  mapRelated(selection, (query, type) => {
    const state = stateBelow(above, query.publicationState);
    return { ...imposeOn(query, state), filter: both(query.filter, liveFilter(type, state)) };
  });

/** What the interceptors have made of a query, and what they saw. */
interface Rewritten extends Pick<InterceptorContext, 'action' | 'presenter'> {
  readonly query: Query;
  readonly kind: Caller['kind'];
  readonly rights: CheckedRights;
  readonly state: unknown;
}

/**
 * Remembers what interceptors make of a query, for all callers of one kind with the same results of their permission
 * checks. Rules depend on the caller and the time, so for callers with rules the interceptors run for each request.
 */
export function rememberRewritten(intercept: Interceptor): Interceptor {
  const rewritten = new WeakMap<Query, Rewritten>();
  return (query, context) => {
    const { action, caller, presenter, previewed = false } = context;
    const { kind } = caller;
    if (previewed || hasRules(caller) || intercept.isPersonal) return intercept(query, context);
    const state = intercept.state?.();
    const before = rewritten.get(query);
    const isSame =
      before !== undefined &&
      before.action === action &&
      before.presenter === presenter &&
      before.state === state &&
      before.kind === kind &&
      hasSameRights(caller, before.rights);
    if (isSame) return before.query;
    const { observed, rights } = observeRights(caller);
    const result = intercept(query, { ...context, caller: withoutIdentity(observed) });
    rewritten.set(query, { query: result, action, ...(presenter && { presenter }), kind, rights, state });
    return result;
  };
}

/**
 * A caller whose identity cannot be read: an interceptor that has not declared that it reads it would be remembered for
 * others.
 */
const withoutIdentity = (caller: Caller): Caller =>
  Object.defineProperties({ ...caller }, { user: undeclared, credentials: undeclared, identity: undeclared });

const undeclared: PropertyDescriptor = {
  enumerable: true,
  get: () => {
    throw new TypeError('An interceptor that reads who the caller is must have `isPersonal: true`');
  },
};
