import lodash from 'lodash';
import type { ContentType } from '../content-types/model/types.js';
import {
  both,
  mapFilter,
  mapNode,
  mapPaths,
  mapRelated,
  nothing,
  stateBelow,
  type AnySelection,
  type Filter,
  type PopulateNode,
  type PublicationState,
  type Query,
  type ValuePath,
} from '../query/ast.js';
import { draftsAction } from './hide-drafts.js';
import { publicationStateOf, type Interceptor } from './interceptors.js';

/** Whether the entries of a type are read in their latest state, where drafts are shown. */
type IsLatest = (type: ContentType) => boolean;

/**
 * Shows the latest state where a level, or one above it, asks for drafts too: of entries that have a working copy that,
 * also where filters and sorts lead to them. A caller without the right to the drafts of a type gets what there would
 * be without copies. A preview link shows the entry that it names.
 */
export const showLatest: Interceptor = (query, { action, caller, previewed = false }) => {
  const isLatest: IsLatest = (type) => type.copies !== undefined && caller.may(draftsAction(type));
  const known = caller.kind === 'system' ? query : withoutCopied(query, isLatest);
  const state = publicationStateOf(query, action) ?? query.publicationState;
  const isNamed = previewed && query.type.copies !== undefined;
  const marked = isPreviewed(known, state) ? markLevel(known, query.type, state, isLatest) : known;
  const shown = isNamed ? { ...marked, latest: true as const } : marked;
  return query.modified === true ? onlyModified(shown, isLatest) : shown;
};

/**
 * Drafts can have a copy too, in which values wait. For a caller who gets what there would be without copies there is
 * no entry.
 */
const onlyModified = (query: Query, isLatest: IsLatest): Query =>
  isLatest(query.type)
    ? { ...query, filter: both(query.filter, { kind: 'live' }) }
    : { ...lodash.omit(query, 'modified'), filter: { kind: 'never' } };

/** Conditions on copies, as if there were none of the types whose copies the caller may not see. */
function withoutCopied<S extends AnySelection>(selection: S, isLatest: IsLatest): S {
  const { filter } = selection;
  const related = mapRelated(selection, (query) => withoutCopied(query, isLatest));
  return filter === undefined ? related : { ...related, filter: withoutCopiedIn(filter, isLatest) };
}

const withoutCopiedIn = (filter: Filter, isLatest: IsLatest): Filter =>
  filter.kind === 'copied' && !isLatest(filter.type)
    ? nothing
    : mapFilter(filter, (part) => withoutCopiedIn(part, isLatest));

/** Whether some level shows drafts too. */
const isPreviewed = ({ populate }: AnySelection, state: PublicationState): boolean =>
  state === 'preview' ||
  populate.some((node) => {
    switch (node.kind) {
      case 'relation':
        return isPreviewed(node.query, stateBelow(state, node.query.publicationState));
      case 'morph':
        return [...node.on.values()].some((query) => isPreviewed(query, stateBelow(state, query.publicationState)));
      case 'component':
        return isPreviewed(node.selection, state);
      case 'zone':
        return [...node.on.values()].some((selection) => isPreviewed(selection, state));
      default:
        return node satisfies never;
    }
  });

/** @param type of the entries; undefined for components */
function markLevel<S extends AnySelection>(
  selection: S,
  type: ContentType | undefined,
  state: PublicationState,
  isLatest: IsLatest,
): S {
  const populate = selection.populate.map((node) => markNode(node, state, isLatest));
  if (state !== 'preview') return { ...selection, populate };
  const { filter, sort, aggregate } = selection;
  return {
    ...selection,
    ...(filter && { filter: markFilter(filter, isLatest) }),
    ...(sort && { sort: sort.map((key) => markPath(key, isLatest)) }),
    ...(aggregate && { aggregate: mapPaths(aggregate, (path) => markPath(path, isLatest)) }),
    populate,
    ...(type !== undefined && isLatest(type) && { latest: true }),
  };
}

const markNode = (node: PopulateNode, state: PublicationState, isLatest: IsLatest): PopulateNode =>
  mapNode(
    node,
    (query, type) => markLevel(query, type, stateBelow(state, query.publicationState), isLatest),
    (selection) => markLevel(selection, undefined, state, isLatest),
  );

function markFilter(filter: Filter, isLatest: IsLatest): Filter {
  const marked = mapFilter(filter, (part) => markFilter(part, isLatest));
  const mark = (type: ContentType) => (isLatest(type) ? ({ latest: true } as const) : {});
  if (marked.kind === 'related') {
    const { only, attribute } = marked;
    return { ...marked, ...(only && { only: markFilter(only, isLatest) }), ...mark(attribute.target) };
  }
  if (marked.kind !== 'fallback') return marked;
  const { visible, type } = marked;
  return { ...marked, visible: visible && markFilter(visible, isLatest), ...mark(type) };
}

function markPath<P extends ValuePath>(path: P, isLatest: IsLatest): P {
  const targets = path.through.flatMap((step) => (step.kind === 'relation' ? [step.target] : [])).filter(isLatest);
  const only = path.only && new Map([...path.only].map(([type, filter]) => [type, markFilter(filter, isLatest)]));
  return { ...path, ...(only && { only }), ...(targets.length > 0 && { latest: new Set(targets) }) };
}

/** Whether there is a type whose entries can have working copies. */
export const haveCopies = (types: Iterable<ContentType>): boolean =>
  [...types].some(({ copies }) => copies !== undefined);
