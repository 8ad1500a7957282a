import {
  both,
  draft,
  live,
  mapFilter,
  mapPaths,
  mapRelated,
  nothing,
  type ScalarAttribute,
  type Selection,
  type SortKey,
  type ValuePath,
} from 'content-service/content-api';
import { AppError, type ContentType, type Filter, type Query } from 'content-service/plugin';
import type { Settings } from './settings.js';

/** Which version of entries is read or written. */
export type Status = 'draft' | 'published';

/**
 * The status that a request names. Strapi 5 takes any other value for `draft`, so that a typing error publishes nothing
 * and shows drafts: it is refused here.
 * @throws AppError invalidInput
 */
export function statusOf(input: unknown): Status {
  if (input === undefined || input === null || input === 'published') return 'published';
  if (input === 'draft') return 'draft';
  throw new AppError('invalidInput', "Invalid value for 'status'. Expected one of: draft, published.", {
    source: 'query',
    param: 'status',
  });
}

const modified = (type: ContentType): Filter => ({ kind: 'copied', type });

/** Entries of which some localization is published. */
function someLive(type: ContentType): Filter {
  const attribute = type.attributes.get('localizations');
  if (attribute?.kind !== 'relation') return live;
  return { kind: 'or', filters: [live, { kind: 'related', attribute, filter: live }] };
}

/**
 * What the versions of an entry have to be like. An entry that is published has a draft, too: what would be saved if
 * nothing changes.
 */
const cohorts: Readonly<Record<string, (type: ContentType, status: Status) => Filter>> = {
  'never-published': () => draft,
  'has-published-version': () => live,
  modified,
  unmodified: (type) => ({ kind: 'and', filters: [live, { kind: 'not', filter: modified(type) }] }),
  'never-published-document': (type) => ({ kind: 'except', filter: someLive(type) }),
  'has-published-version-document': someLive,
  'published-without-draft': () => nothing,
  // Of these the published versions alone (recorded: code/10-find-many).
  'published-with-draft': (_, status) => (status === 'draft' ? nothing : live),
};

/** The names of `publicationFilter`. */
export const publicationFilters: readonly string[] = Object.keys(cohorts);

/** What a request says about the publication of entries. */
export interface Publication {
  readonly publicationFilter?: unknown;
  /** The older name. */
  readonly hasPublishedVersion?: unknown;
}

/**
 * Entries with the publication that a request names, at every level: those that entries lead to are in the same state.
 * Types without drafts ignore it.
 * @throws AppError invalidInput
 */
export function inCohort<S extends Level>(level: S, type: ContentType, publication: Publication, status: Status): S {
  const cohort = cohortOf(publication, type, status);
  const related = mapRelated(level, (query, target) => inCohort(query, target, publication, status));
  return cohort === undefined ? related : { ...related, filter: both(level.filter, cohort) };
}

function cohortOf(
  { publicationFilter, hasPublishedVersion }: Publication,
  type: ContentType,
  status: Status,
): Filter | undefined {
  checkPublicationFilter(publicationFilter);
  const name = publicationFilter ?? olderName(hasPublishedVersion);
  return name !== undefined && type.draftAndPublish ? cohorts[name]?.(type, status) : undefined;
}

/** @throws AppError invalidInput */
export function checkPublicationFilter(name: unknown): asserts name is string | undefined | null {
  if (name === undefined || name === null || (typeof name === 'string' && Object.hasOwn(cohorts, name))) return;
  const message = `Invalid value for 'publicationFilter'. Expected one of: ${publicationFilters.join(', ')}.`;
  throw new AppError('invalidInput', message, { source: 'query', param: 'publicationFilter' });
}

function olderName(input: unknown): string | undefined {
  if (input === 'true' || input === true) return 'has-published-version-document';
  if (input === 'false' || input === false) return 'never-published-document';
  if (input === undefined || input === null) return undefined;
  throw new AppError(
    'invalidValue',
    "Invalid value for 'hasPublishedVersion'. Expected boolean or 'true'/'false' string.",
  );
}

/**
 * A query for what is published. Filters and sorts meet drafts that published entries lead to, as in data that Strapi
 * v4 wrote (recorded: migrated/14-filters); in that of Strapi 5 there are none (recorded: import/reads).
 */
export const ofPublished = (query: Query, { isNative }: Pick<Settings, 'isNative'>): Query => ({
  ...(isNative ? withoutDrafts(query) : query),
  publicationState: 'live',
});

function withoutDrafts<S extends Level>(level: S): S {
  const { filter, sort } = level;
  return {
    ...mapRelated(level, withoutDrafts),
    ...(filter && { filter: withoutDraftsIn(filter) }),
    ...(sort && { sort: sort.map(sortedByPublished) }),
  };
}

function withoutDraftsIn(filter: Filter): Filter {
  const inner = mapFilter(filter, withoutDraftsIn);
  if (inner.kind !== 'related' || !inner.attribute.target.draftAndPublish) return inner;
  // Those of other locales have the documentId in common, in whatever state.
  if (inner.attribute.name === 'localizations') return inner;
  const only = both(inner.only, live);
  return { ...inner, ...(only && { only }) };
}

function sortedByPublished(key: SortKey): SortKey {
  const targets = key.through.flatMap((step) =>
    step.kind === 'relation' && step.target.draftAndPublish ? [step.target] : [],
  );
  if (targets.length === 0) return key;
  return {
    ...key,
    only: new Map([
      ...(key.only ?? []),
      ...targets.map((target) => [target, both(key.only?.get(target), live) ?? live] as const),
    ]),
  };
}

/** A query for the drafts of entries: at every level these have no `publishedAt`, in answers, filters and sorts. */
export const ofDrafts = (query: Query): Query => ({
  ...unpublished(query, query.type),
  publicationState: 'preview',
});

type Level = Selection & Partial<Pick<Query, 'filter' | 'sort' | 'aggregate'>>;

function unpublished<S extends Level>(level: S, type: ContentType): S {
  const { filter, sort, aggregate } = level;
  const own = type.draftAndPublish ? level.fields.map(unset) : level.fields;
  return {
    ...mapRelated(level, (query, target) => unpublished(query, target)),
    fields: own,
    ...(filter && { filter: unsetIn(filter) }),
    ...(sort && { sort: sort.map(unsetAt) }),
    ...(aggregate && { aggregate: mapPaths(aggregate, unsetAt) }),
  };
}

/** The time of the publication, which no draft has; that of types without drafts is an alias, and stays. */
const unset = (field: ScalarAttribute): ScalarAttribute =>
  field.name === 'publishedAt' && field.alias === undefined
    ? { ...field, name: '_unpublished', alias: { of: field, name: 'publishedAt' } }
    : field;

const unsetAt = <P extends ValuePath>(path: P): P =>
  path.field.kind === 'id' ? path : { ...path, field: unset(path.field) };

function unsetIn(filter: Filter): Filter {
  if (filter.kind === 'comparison' && filter.field.kind !== 'id') return { ...filter, field: unset(filter.field) };
  return mapFilter(filter, unsetIn);
}

/** A query with a further condition. */
export const withFilter = (query: Query, filter: Filter | undefined): Query =>
  filter === undefined ? query : { ...query, filter: both(query.filter, filter) };
