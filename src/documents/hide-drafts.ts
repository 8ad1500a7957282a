import type { ContentType } from '../content-types/model/types.js';
import { both, type Filter, type PopulateNode, type Query, type Selection, type SortKey } from '../query/ast.js';
import type { Caller } from './caller.js';
import type { Interceptor } from './interceptors.js';
import { liveLocalizations } from './live-localizations.js';

/** The action of seeing the drafts of a content type, where drafts are restricted. */
export const draftsAction = ({ uid }: ContentType): string => `${uid}.find.drafts`;

/** The actions that restricted drafts add. */
export const listDraftsActions = (types: Iterable<ContentType>): readonly string[] =>
  [...types].filter((type) => type.draftAndPublish && type.uid.startsWith('api::')).map(draftsAction);

/**
 * Hides the drafts of each content type whose drafts the caller may not see, at every depth: in lists, counts and populated relations,
 * and behind relations in filters and sorts. Such a caller gets what they would get if these drafts did not exist.
 */
export const hideDrafts: Interceptor = (query, { action, caller, previewed = false }) => {
  const hides = hiddenTo(caller);
  // The writer of a new entry knows what is in it.
  const isShown = previewed || action === 'create';
  const narrowed = narrow(query, query.type, hides);
  return isShown ? narrowed : { ...narrowed, filter: onlyLive(narrowed.filter, query.type, hides) };
};

/** Where drafts are restricted: are those of this content type hidden from the caller? */
export const hidesDrafts = (type: ContentType, caller: Caller): boolean =>
  type.draftAndPublish && !caller.may(draftsAction(type));

type Hides = (type: ContentType) => boolean;

const hiddenTo =
  (caller: Caller): Hides =>
  (type) =>
    hidesDrafts(type, caller);

/** What is read of anything, with the filter and the sort that some selections have. */
type Listed = Selection & Partial<Pick<Query, 'filter' | 'sort'>>;

/** @param type of the entries; undefined for components */
function narrow<S extends Listed>(selection: S, type: ContentType | undefined, hides: Hides): S {
  const { filter, sort, availableLocales } = selection;
  const localizations = availableLocales === true && type && hides(type) ? liveLocalizations(type) : undefined;
  return {
    ...selection,
    ...(localizations && { availableLocales: localizations }),
    ...(filter && { filter: narrowFilter(filter, hides) }),
    ...(sort && { sort: sort.map((key) => narrowKey(key, hides)) }),
    populate: selection.populate.map((node) => narrowNode(node, hides)),
  };
}

const narrowEntries = <S extends Listed>(selection: S, type: ContentType, hides: Hides): S => {
  const narrowed = narrow(selection, type, hides);
  return { ...narrowed, filter: onlyLive(narrowed.filter, type, hides) };
};

function onlyLive(filter: Filter | undefined, type: ContentType, hides: Hides): Filter | undefined {
  return !hides(type) || isLive(filter) ? filter : both(filter, { kind: 'live' });
}

const isLive = (filter: Filter | undefined): boolean =>
  filter?.kind === 'live' || (filter?.kind === 'and' && filter.filters.some(isLive));

function narrowNode(node: PopulateNode, hides: Hides): PopulateNode {
  switch (node.kind) {
    case 'relation':
      return { ...node, query: narrowEntries(node.query, node.attribute.target, hides) };
    case 'morph':
      return { ...node, on: new Map([...node.on].map(([type, query]) => [type, narrowEntries(query, type, hides)])) };
    case 'component':
      return { ...node, selection: narrow(node.selection, undefined, hides) };
    case 'zone':
      return { ...node, on: new Map([...node.on].map(([uid, one]) => [uid, narrow(one, undefined, hides)])) };
    default:
      return node satisfies never;
  }
}

function narrowFilter(filter: Filter, hides: Hides): Filter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { ...filter, filters: filter.filters.map((part) => narrowFilter(part, hides)) };
    case 'not':
    case 'component':
      return { ...filter, filter: narrowFilter(filter.filter, hides) };
    case 'related': {
      const narrowed = { ...filter, filter: narrowFilter(filter.filter, hides) };
      return hides(filter.attribute.target) ? { ...narrowed, only: { kind: 'live' } } : narrowed;
    }
    case 'comparison':
    case 'live':
    case 'search':
    case 'refers':
    case 'never':
      return filter;
    default:
      return filter satisfies never;
  }
}

function narrowKey(key: SortKey, hides: Hides): SortKey {
  const targets = key.through.flatMap((step) => (step.kind === 'relation' && hides(step.target) ? [step.target] : []));
  return targets.length === 0 ? key : { ...key, only: new Map(targets.map((target) => [target, { kind: 'live' }])) };
}

const modes = {
  open: 'shown to everyone who may read the content type (DRAFTS=open)',
  restricted: 'shown only with the permission <uid>.find.drafts, and by preview links (DRAFTS=restricted)',
} as const;

/** Who sees drafts, for people. */
export const describeDrafts = (mode: keyof typeof modes): string => modes[mode];
