import type { ContentType } from '../content-types/model/types.js';
import {
  both,
  mapFilter,
  mapNode,
  mapPaths,
  unbounded,
  type AnySelection,
  type Filter,
  type PopulateNode,
  type Query,
  type RelationNode,
  type Selection,
  type ValuePath,
} from './ast.js';

/**
 * The condition that an entry has a `documentId`, and is in a locale if its type is localized and one is named.
 * Entries of a type without such ids never match.
 */
export function documentIs({ documentId: field, attributes }: ContentType, value: string, locale?: string): Filter {
  if (field === undefined) return { kind: 'never' };
  const isDocument: Filter = { kind: 'comparison', field, operator: '$eq', operands: [value] };
  const localeField = attributes.get('locale');
  if (locale === undefined || localeField?.kind !== 'scalar') return isDocument;
  const isInLocale: Filter = { kind: 'comparison', field: localeField, operator: '$eq', operands: [locale] };
  return { kind: 'and', filters: [isDocument, isInLocale] };
}

/** The condition that entries of a type have to match; undefined: all do. */
export type Visible = (type: ContentType) => Filter | undefined;

/** A query without the entries that do not match, and without those behind relations. */
export const hideFrom = (query: Query, visible: Visible): Query => narrowEntries(query, query.type, visible);

/** A query without the entries behind relations that do not match; its own entries stay. */
export const hideBehind = (query: Query, visible: Visible): Query => narrow(query, query.type, visible);

/** @param type of the entries; undefined for components */
function narrow<S extends AnySelection>(selection: S, type: ContentType | undefined, visible: Visible): S {
  const { filter, sort, aggregate } = selection;
  return {
    ...selection,
    ...(type && narrowLocalizations(selection, type, visible)),
    ...(filter && { filter: narrowFilter(filter, visible) }),
    ...(sort && { sort: sort.map((key) => narrowPath(key, visible)) }),
    ...(aggregate && { aggregate: mapPaths(aggregate, (path) => narrowPath(path, visible)) }),
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

/**
 * Finds the localizations of an entry that match a condition, with their locales: an entry stores its localizations,
 * but nothing else of them.
 */
export function localizationsThat({ attributes }: ContentType, filter: Filter): RelationNode | undefined {
  const [attribute, locale] = [attributes.get('localizations'), attributes.get('locale')];
  if (attribute?.kind !== 'relation' || locale?.kind !== 'scalar') return undefined;
  const query = {
    ...unbounded,
    fields: [locale],
    populate: [],
    filter,
    count: false,
    publicationState: 'live',
  } as const;
  return { kind: 'relation', key: attribute.name, attribute, query };
}

const narrowEntries = <S extends AnySelection>(selection: S, type: ContentType, visible: Visible): S => {
  const narrowed = narrow(selection, type, visible);
  return { ...narrowed, filter: onlyThose(narrowed.filter, visible(type)) };
};

/** A filter of entries of a type that matches none of those that are hidden, nor any because of them. */
export const hideFromFilter = (filter: Filter | undefined, type: ContentType, visible: Visible): Filter | undefined =>
  onlyThose(filter && narrowFilter(filter, visible), visible(type));

/** A filter that matches only entries with the condition. */
export const onlyThose = (filter: Filter | undefined, only: Filter | undefined): Filter | undefined =>
  withOnly(narrowFallback(filter, only), only);

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

/** Whether a filter matches published entries only. */
export const isLive = (filter: Filter | undefined): boolean =>
  filter?.kind === 'live' || (filter?.kind === 'and' && filter.filters.some(isLive));

function narrowNode(node: PopulateNode, visible: Visible): PopulateNode {
  const narrowed = mapNode(
    node,
    (query, type) => narrowEntries(query, type, visible),
    (selection) => narrow(selection, undefined, visible),
  );
  const hidesSome =
    narrowed.kind === 'morph' &&
    [...narrowed.attribute.candidates.values()].some((type) => visible(type) !== undefined);
  return hidesSome ? { ...narrowed, narrowed: true } : narrowed;
}

function narrowFilter(filter: Filter, visible: Visible): Filter {
  const narrowed = mapFilter(filter, (part) => narrowFilter(part, visible));
  if (narrowed.kind !== 'related') return narrowed;
  const only = both(narrowed.only, visible(narrowed.attribute.target));
  return only === undefined ? narrowed : { ...narrowed, only };
}

/** A path on which entries that do not match are ignored. */
export function narrowPath<P extends ValuePath>(path: P, visible: Visible): P {
  const targets = new Set(path.through.flatMap((step) => (step.kind === 'relation' ? [step.target] : [])));
  const only = [...targets].flatMap((target) => {
    const condition = withOnly(path.only?.get(target), visible(target));
    return condition === undefined ? [] : [[target, condition] as const];
  });
  return only.length === 0 ? path : { ...path, only: new Map(only) };
}
