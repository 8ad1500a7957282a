import type { Document } from 'mongodb';
import type { ContentType } from '../../../content-types/model/types.js';
import type { AnyRelation, Filter } from '../../../query/ast.js';
import { otherSideName } from '../../stored/relation.js';
import { sourceOf, unite } from '../read/branches.js';

/** A read that precedes the main one and returns ids, one per document, under `_id`. */
export interface IdQuery {
  readonly collection: string;
  readonly pipeline: readonly Document[];
  /**
   * The uid of the content type that alone determines the ids; undefined if they also depend on the ids of preceding
   * reads.
   */
  readonly type?: string;
}

/**
 * The selected entries of the inverse side: those for which a condition is true, those for which it is false, or all
 * but the first.
 */
export type Truth = 'true' | 'false' | 'not true';

export type RelatedFilter = Extract<Filter, { readonly kind: 'related' }>;

/** Adds the read of the ids for a condition behind a relation; returns a placeholder for them. */
export type Related = (relation: Pick<RelatedFilter, 'attribute' | 'latest'>, filter: Filter, truth: Truth) => Document;

/** The ids of the entries that match a condition. @param latest in their latest state */
export const matchingIds = (type: ContentType, condition: Document, latest?: true): IdQuery => ({
  ...ofType(type, condition, latest),
  pipeline: unite(sourceOf(type, latest), (only) => [{ $match: condition }, ...only, { $project: { _id: 1 } }]),
});

/** Those of the latest state depend on two types. */
function ofType(
  { collectionName, uid }: ContentType,
  condition: Document,
  latest: true | undefined,
): Omit<IdQuery, 'pipeline'> {
  const isOfOne = latest !== true && !hasPlaceholder(condition);
  return isOfOne ? { collection: collectionName, type: uid } : { collection: collectionName };
}

/** The ids to which entries of the inverse side refer, for those entries that match a condition. */
export function relatedKeys(attribute: AnyRelation, condition: Document, latest?: true): IdQuery {
  const { target } = attribute;
  const path = otherSideName(attribute);
  const ofOwner = attribute.kind === 'morphed' ? { 'key.__type': attribute.owner } : undefined;
  return {
    ...ofType(target, condition, latest),
    pipeline: [
      ...unite(sourceOf(target, latest), (only) => [
        { $match: { $and: [condition, { [path]: { $exists: true } }] } },
        ...only,
        { $project: { _id: 0, key: `$${path}` } },
      ]),
      { $unwind: '$key' },
      ...(ofOwner ? [{ $match: ofOwner }] : []),
      { $group: { _id: ofOwner ? '$key.id' : '$key' } },
    ],
  };
}

/** The command of a read of ids. Without further stages it is a plain find, which costs less. */
export function idCommand(collection: string, pipeline: readonly Document[]): IdCommand {
  const [match, project, ...further] = pipeline;
  if (further.length > 0) return { aggregate: collection, pipeline };
  return { find: collection, filter: match?.['$match'] as Document, projection: project?.['$project'] as Document };
}

type IdCommand =
  | { readonly aggregate: string; readonly pipeline: readonly Document[] }
  | { readonly find: string; readonly filter: Document; readonly projection: Document };

/** Replaces placeholders with the results of the preceding reads. */
export function bindIds<T>(value: T, results: readonly (readonly unknown[])[]): T {
  return results.length === 0 ? value : (bind(value, results) as T);
}

function bind(value: unknown, results: readonly (readonly unknown[])[]): unknown {
  if (Array.isArray(value)) return value.map((part) => bind(part, results));
  if (!isPlain(value)) return value;
  const entries = Object.entries(value);
  if (isPlaceholder(entries)) return results[entries[0][1]];
  return Object.fromEntries(entries.map(([key, part]) => [key, bind(part, results)]));
}

/** Whether a value contains placeholders. */
function hasPlaceholder(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasPlaceholder);
  if (!isPlain(value)) return false;
  const entries = Object.entries(value);
  return isPlaceholder(entries) || entries.some(([, part]) => hasPlaceholder(part));
}

/** Values of the database, such as `MaxKey`, are objects too. */
const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const isPlaceholder = (
  entries: readonly (readonly [string, unknown])[],
): entries is readonly [readonly ['$ids', number]] => entries.length === 1 && entries[0]?.[0] === '$ids';

/** Whether the condition, or its negation, is true for a row in which every value is null, in three-valued logic. */
export function matchesNullRow(filter: Filter, negated: boolean): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return (filter.kind === 'and') === negated
        ? filter.filters.some((part) => matchesNullRow(part, negated))
        : filter.filters.every((part) => matchesNullRow(part, negated));
    case 'not':
      return matchesNullRow(filter.filter, !negated);
    case 'except':
      return matchesNullRow(filter.filter, false) === negated;
    case 'comparison':
      return filter.operator === (negated ? '$notNull' : '$null');
    case 'component':
    case 'zone':
    case 'related':
      return matchesNullRow(filter.filter, negated);
    case 'live':
    case 'copied':
    case 'refers':
      return negated;
    case 'search':
    case 'fallback':
    case 'never':
      return false;
    default:
      return filter satisfies never;
  }
}

/** The condition, or its negation, for the entries that match `only`, which is not negated. */
export const rowsWithin = (only: Filter, filter: Filter, negated: boolean): Filter => ({
  kind: 'and',
  filters: [only, negated ? { kind: 'not', filter } : filter],
});
