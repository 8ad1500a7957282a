import type { ContentType } from '../content-types/model/types.js';
import { both, type Filter } from '../query/ast.js';
import { hideBehind, onlyThose, type Visible } from '../query/narrow.js';
import type { Caller } from './caller.js';
import { hidesDrafts } from './hide-drafts.js';
import type { Action, Interceptor } from './interceptors.js';
import { readAction } from './rights.js';

/**
 * Hides the entries that the caller may not read, at every depth: in lists, counts and populated relations, and behind relations
 * in filters and sorts. The caller gets the same response as if these entries did not exist. Hidden are entries that do
 * not match the rules of the caller, and, where drafts are restricted, the drafts that the caller may not see.
 */
export const hideEntries =
  (restrictDrafts: boolean): Interceptor =>
  (query, { action, caller, previewed = false }) => {
    const visible = visibleTo(caller, restrictDrafts);
    if (visible === undefined) return query;
    const { type } = query;
    const narrowed = hideBehind(query, visible);
    const only = limitOf(type, action, caller, restrictDrafts && !previewed);
    return { ...narrowed, filter: onlyThose(narrowed.filter, only) };
  };

/** Which entries of a type a caller can find or write by an action; undefined: all. */
export function limitOf(
  type: ContentType,
  action: Action,
  caller: Caller,
  restrictDrafts: boolean,
): Filter | undefined {
  // The creator of an entry gets it in the response.
  if (action === 'create') return undefined;
  const live: Filter | undefined = restrictDrafts && hidesDrafts(type, caller) ? { kind: 'live' } : undefined;
  const actions = [
    readAction(type, action, caller),
    ...(writeActions[action] ?? []).map((name) => `${type.uid}.${name}`),
  ];
  return actions.map((name) => caller.where?.(name)).reduce(both, live);
}

/** The actions that allow a write. Those of users are named as in Strapi v4. */
const writeActions: Partial<Record<Action, readonly string[]>> = { update: ['update'], delete: ['delete', 'destroy'] };

/**
 * Which entries of a type the caller may read where it is not read by an id: in lists and through relations. Undefined for callers from
 * whom nothing is hidden.
 */
export function visibleTo(caller: Caller, restrictDrafts: boolean): Visible | undefined {
  if (caller.kind === 'system' || (!restrictDrafts && caller.where === undefined)) return undefined;
  return (type) =>
    both(
      restrictDrafts && hidesDrafts(type, caller) ? { kind: 'live' } : undefined,
      caller.where?.(`${type.uid}.find`),
    );
}
