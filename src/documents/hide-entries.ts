import type { ContentType } from '../content-types/model/types.js';
import { both, type Filter, type PopulateNode, type Query, type Selection, type SortKey } from '../query/ast.js';
import type { Caller } from './caller.js';
import { hidesDrafts } from './hide-drafts.js';
import type { Action, Interceptor } from './interceptors.js';
import { readAction } from './rights.js';
import { localizationsThat } from './localizations-that.js';

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
    return { ...narrowed, filter: withOnly(narrowFallback(narrowed.filter, only), only) };
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

/** The condition that entries of a type have to match; undefined: all do. */
export type Visible = (type: ContentType) => Filter | undefined;

/** A query without the entries that do not match, and without those behind relations. */
export const hideFrom = (query: Query, visible: Visible): Query => narrowEntries(query, query.type, visible);

/** A query without the entries behind relations that do not match; its own entries stay. */
export const hideBehind = (query: Query, visible: Visible): Query => narrow(query, query.type, visible);

/** A selection of any kind, with its filter and sort if it has them. */
type Listed = Selection & Partial<Pick<Query, 'filter' | 'sort'>>;

/** @param type of the entries; undefined for components */
function narrow<S extends Listed>(selection: S, type: ContentType | undefined, visible: Visible): S {
  const { filter, sort } = selection;
  return {
    ...selection,
    ...(type && narrowLocalizations(selection, type, visible)),
    ...(filter && { filter: narrowFilter(filter, visible) }),
    ...(sort && { sort: sort.map((key) => narrowKey(key, visible)) }),
    populate: selection.populate.map((node) => narrowNode(node, visible)),
  };
}

function narrowLocalizations(
  { availableLocales }: Selection,
  type: ContentType,
  visible: Visible,
): Pick<Selection, 'availableLocales'> {
  const only = visible(type);
  if (availableLocales === undefined || only === undefined) return {};
  const localizations = availableLocales === true ? localizationsThat(type, only) : availableLocales;
  if (localizations === undefined) return {};
  const { query } = localizations;
  return { availableLocales: { ...localizations, query: { ...query, filter: withOnly(query.filter, only) } } };
}

const narrowEntries = <S extends Listed>(selection: S, type: ContentType, visible: Visible): S => {
  const narrowed = narrow(selection, type, visible);
  const only = visible(type);
  return { ...narrowed, filter: withOnly(narrowFallback(narrowed.filter, only), only) };
};

/** Hidden entries do not take the place of those in another locale. */
function narrowFallback(filter: Filter | undefined, only: Filter | undefined): Filter | undefined {
  if (filter?.kind === 'and')
    return { ...filter, filters: filter.filters.map((part) => narrowFallback(part, only) ?? part) };
  return filter?.kind === 'fallback' ? { ...filter, visible: withOnly(filter.visible, only) } : filter;
}

/** Both conditions, each once. */
function withOnly(filter: Filter | undefined, only: Filter | undefined): Filter | undefined {
  if (only?.kind === 'live' && isLive(filter)) return filter;
  return filter === only ? filter : both(filter, only);
}

const isLive = (filter: Filter | undefined): boolean =>
  filter?.kind === 'live' || (filter?.kind === 'and' && filter.filters.some(isLive));

function narrowNode(node: PopulateNode, visible: Visible): PopulateNode {
  switch (node.kind) {
    case 'relation':
      return { ...node, query: narrowEntries(node.query, node.attribute.target, visible) };
    case 'morph': {
      const on = [...node.on].map(([type, query]) => [type, narrowEntries(query, type, visible)] as const);
      const hidesSome = [...node.attribute.candidates.values()].some((type) => visible(type) !== undefined);
      return { ...node, on: new Map(on), ...(hidesSome && { narrowed: true }) };
    }
    case 'component':
      return { ...node, selection: narrow(node.selection, undefined, visible) };
    case 'zone':
      return {
        ...node,
        on: new Map([...node.on].map(([uid, selection]) => [uid, narrow(selection, undefined, visible)])),
      };
    default:
      return node satisfies never;
  }
}

function narrowFilter(filter: Filter, visible: Visible): Filter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { ...filter, filters: filter.filters.map((part) => narrowFilter(part, visible)) };
    case 'not':
    case 'except':
    case 'component':
    case 'zone':
      return { ...filter, filter: narrowFilter(filter.filter, visible) };
    case 'related': {
      const narrowed = { ...filter, filter: narrowFilter(filter.filter, visible) };
      const only = both(filter.only, visible(filter.attribute.target));
      return only === undefined ? narrowed : { ...narrowed, only };
    }
    case 'comparison':
    case 'live':
    case 'search':
    case 'refers':
    case 'fallback':
    case 'never':
      return filter;
    default:
      return filter satisfies never;
  }
}

function narrowKey(key: SortKey, visible: Visible): SortKey {
  const only = key.through.flatMap((step) => {
    const condition = step.kind === 'relation' ? visible(step.target) : undefined;
    return step.kind === 'relation' && condition !== undefined ? [[step.target, condition] as const] : [];
  });
  return only.length === 0 ? key : { ...key, only: new Map(only) };
}
