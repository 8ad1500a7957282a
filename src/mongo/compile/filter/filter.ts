import { isDeepStrictEqual } from 'node:util';
import type { Document } from 'mongodb';
import { bounds } from '../../../config/bounds.js';
import { AppError } from '../../../errors/app-error.js';
import { partsOfFilter, type AnyRelation, type Comparison, type Field, type Filter } from '../../../query/ast.js';
import { isCopiedOrCopy } from '../../stored/working-copy.js';
import { rankPath, REFERENCE_TARGETS, referenceTo, someReference } from '../../stored/relation.js';
import type { RelationAttribute } from '../../../content-types/model/types.js';
import {
  compareExpression,
  compileExpression,
  isAlone,
  someComponent,
  type ComponentFilter,
} from './filter-expression.js';
import { isUnreachable } from '../../../query/visibility.js';
import {
  matchesNullRow,
  rowsWithin,
  matchingIds,
  relatedKeys,
  type IdQuery,
  type Related,
  type RelatedFilter,
  type Truth,
} from './semi-join.js';
import { comparisons, negate, needsTextCast, textCastOf, textsOf } from './operators.js';

type SearchFilter = Extract<Filter, { kind: 'search' }>;
type FallbackFilter = Extract<Filter, { kind: 'fallback' }>;

/** The context of a condition: paths start with `prefix`; `idName` is the field of the id. */
interface Scope {
  readonly prefix: string;
  readonly idName: '_id' | 'id';
  /** Receives the reads that must run first. */
  readonly before: IdQuery[];
}

/**
 * Compiles a filter to a MongoDB query document. A condition behind a relation becomes a preceding read of ids: it is
 * added to `before`, and `{ $ids: n }` is the placeholder for its result. Source: Strapi v4's joins, see "Filters" in
 * docs/internals/reads.md.
 * @throws AppError tooCostly
 */
export const compileFilter = (filter: Filter, before: IdQuery[]): Document => compileTruth(filter, 'true', before);

/**
 * Compiles a filter on a component, at `path` within a pipeline, to an expression.
 * @throws AppError tooCostly
 */
export const compileInComponent = (filter: Filter, path: string, before: IdQuery[]): unknown =>
  compileExpression(filter, path, false, relatedIn(before));

function compile(filter: Filter, negated: boolean, scope: Scope): Document {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const conditions = filter.filters.map((part) => compile(part, negated, scope));
      return (filter.kind === 'and') === negated ? { $or: conditions } : { $and: conditions };
    }
    case 'not':
      return compile(filter.filter, !negated, scope);
    case 'except':
      return negated ? compile(filter.filter, false, scope) : { $nor: [compile(filter.filter, false, scope)] };
    case 'comparison':
      return compileComparison(filter, negated, scope);
    case 'component':
    case 'zone':
      return compileComponents(filter, negated, scope);
    case 'related':
      return compileRelated(filter, negated, scope);
    case 'live':
      // An index can have drafts alone by equality with null, and count them without reading any.
      return { _live: negated ? null : 1 };
    case 'copied':
      return negated ? { $nor: [copiedOfLive] } : copiedOfLive;
    case 'search':
      return compileSearch(filter, negated, scope);
    case 'refers':
      return compileRefers(filter, negated);
    case 'fallback':
      return negated ? { $nor: [compileFallback(filter, scope)] } : compileFallback(filter, scope);
    case 'never':
      return { $nor: [{}] };
    default:
      return filter satisfies never;
  }
}

/** A published entry with a working copy, or that copy, which has the mark of its entry. */
const copiedOfLive: Document = { _live: 1, $or: isCopiedOrCopy };

const pathOf = (field: Field, { prefix, idName }: Scope): string =>
  prefix + (field.kind === 'id' ? idName : field.name);

function compileComparison(comparison: Comparison, negated: boolean, scope: Scope): Document {
  const path = pathOf(comparison.field, scope);
  if (needsTextCast(comparison)) return { $expr: compareExpression(comparison, `$${path}`, negated) };
  return { [path]: conditionOf(comparison, negated) };
}

function conditionOf({ field, operator, operands }: Comparison, negated: boolean): Document {
  const texts = textsOf(field);
  return negated ? negate(operator, operands, texts) : comparisons[operator](operands, texts);
}

function compileSearch({ text, fields }: SearchFilter, negated: boolean, scope: Scope): Document {
  const alternatives = fields.map((field): Document => {
    const path = pathOf(field, scope);
    const write = textCastOf(field);
    const texts = { ...textsOf(field), hasEscapes: false };
    if (write === undefined) return { [path]: comparisons.$containsi([text], texts) };
    const { $regex: regex } = comparisons.$contains([text], texts) as { $regex: string };
    return { $expr: { $regexMatch: { input: write(`$${path}`), regex } } };
  });
  if (alternatives.length === 0) return { $nor: [{}] };
  return { [negated ? '$nor' : '$or']: alternatives };
}

/** References are those of the complete entry, at any depth. */
function compileRefers({ to, ids, by }: Filter & { kind: 'refers' }, negated: boolean): Document {
  const r = { $in: ids.map((id) => referenceTo(to, id)) };
  const condition = by === undefined ? { [REFERENCE_TARGETS]: r } : someReference({ r, a: by });
  return negated ? { $nor: [condition] } : condition;
}

/**
 * One component, in a zone one of its kind, must satisfy the whole condition; if there is none, that counts as one row
 * of nulls.
 */
function compileComponents(filter: ComponentFilter, negated: boolean, scope: Scope): Document {
  const path = scope.prefix + filter.attribute.name;
  const inside = { ...scope, idName: 'id' } as const;
  if (isAlone(filter)) return compile(filter.filter, negated, { ...inside, prefix: `${path}.` });
  // Within `$elemMatch` there are no expressions.
  if (hasExpression(filter.filter))
    return { $expr: someComponent(filter, `$${path}`, negated, relatedIn(scope.before)) };
  const condition = compile(filter.filter, negated, { ...inside, prefix: '' });
  const isOfKind = filter.kind === 'zone' ? { __component: filter.component.uid } : undefined;
  const isMatch = { [path]: { $elemMatch: isOfKind ? { $and: [isOfKind, condition] } : condition } };
  if (!matchesNullRow(filter.filter, negated)) return isMatch;
  return { $or: [isMatch, { [path]: isOfKind ? { $not: { $elemMatch: isOfKind } } : { $exists: false } }] };
}

/** Whether a condition on components is compiled to an expression. Related entries are found by a read of their own. */
const hasExpression = (filter: Filter): boolean =>
  filter.kind === 'comparison'
    ? needsTextCast(filter)
    : filter.kind !== 'related' && partsOfFilter(filter).some(hasExpression);

/** The entries of the inverse side, by the ids stored on this side. */
const relatedIn =
  (before: IdQuery[]): Related =>
  ({ attribute: { target }, latest }, filter, truth) =>
    add(before, matchingIds(target, compileTruth(filter, truth, before), latest));

/** The condition for entries themselves, not for components in them, for which a filter has this truth. */
function compileTruth(filter: Filter, truth: Truth, before: IdQuery[]): Document {
  // An entry is either published or not.
  const isExact = filter.kind === 'live';
  const condition = compile(filter, truth === 'false' || (truth === 'not true' && isExact), {
    prefix: '',
    idName: '_id',
    before,
  });
  return truth === 'not true' && !isExact ? { $nor: [condition] } : condition;
}

/**
 * Entries in one of the locales whose group has no visible entry in an earlier one. An entry stores the locales of the
 * others; where some entries are hidden, their ids are read first: drafts, or what the caller may not read.
 */
function compileFallback({ type, locales, visible, latest }: FallbackFilter, { before }: Scope): Document {
  const lacks = (locale: string): readonly Document[] => {
    const isAbsent = { [rankPath('localizations')]: { $ne: locale } };
    if (visible === undefined) return [isAbsent];
    const isHidden = { $and: [{ locale }, compileTruth(visible, 'not true', before)] };
    return [isAbsent, { localizations: { $in: add(before, matchingIds(type, isHidden, latest)) } }];
  };
  const isInFirst = (count: number): Document => ({ locale: { $in: locales.slice(0, count) } });
  // Alternatives by locale would be a scan for each of them: that of the last one could reject most of its entries
  // before the first match.
  const earlier = locales.slice(0, -1).map((locale, index) => ({ $or: [isInFirst(index + 1), ...lacks(locale)] }));
  return { $and: [isInFirst(locales.length), ...earlier] };
}

/** Some related entry satisfies the condition; an empty relation counts as one row of nulls. */
function compileRelated(related: RelatedFilter, negated: boolean, scope: Scope): Document {
  const { attribute, only, latest } = related;
  const { before } = scope;
  if (isUnreachable(attribute)) return matchesNullRow(related.filter, negated) ? {} : { $nor: [{}] };
  const direct = only ? undefined : compileOnId(attribute, related.filter, negated, scope);
  if (direct !== undefined) return direct;
  const none = matchesNullRow(related.filter, negated);
  const filter = only ? rowsWithin(only, related.filter, negated) : related.filter;
  const truth = negated && !only ? 'false' : 'true';
  if (attribute.kind === 'relation' && attribute.side === 'owner') {
    const path = scope.prefix + attribute.name;
    const isMatch = { [path]: { $in: relatedIn(before)(related, filter, truth) } };
    if (!none) return isMatch;
    return {
      $or: [
        isMatch,
        only ? leadsToNone({ ...related, attribute }, only, path, before) : { [path]: { $exists: false } },
      ],
    };
  }
  const keysOf = (condition: Document): Document => add(before, relatedKeys(attribute, condition, latest));
  const isMatch = { _id: { $in: keysOf(compileTruth(filter, truth, before)) } };
  return none ? { $or: [isMatch, { _id: { $nin: keysOf(only ? compileFilter(only, before) : {}) } }] } : isMatch;
}

/** The relation is empty, or all its targets are ignored. */
function leadsToNone(
  related: Pick<RelatedFilter, 'latest'> & { readonly attribute: RelationAttribute },
  only: Filter,
  path: string,
  before: IdQuery[],
): Document {
  const ignored = relatedIn(before)(related, only, 'not true');
  if (related.attribute.many) return { [path]: { $not: { $elemMatch: { $nin: ignored } } } };
  return { $or: [{ [path]: { $exists: false } }, { [path]: { $in: ignored } }] };
}

/** A condition on only the id of a related entry: the id is stored in the entry. */
function compileOnId(attribute: AnyRelation, filter: Filter, negated: boolean, scope: Scope): Document | undefined {
  if (attribute.kind !== 'relation' || attribute.side !== 'owner') return undefined;
  if (filter.kind !== 'comparison' || filter.field.kind !== 'id' || needsTextCast(filter)) return undefined;
  const { operator } = filter;
  const path = scope.prefix + attribute.name;
  if (operator === '$null' || operator === '$notNull') {
    return { [path]: { $exists: (operator === '$null') === negated } };
  }
  const condition = conditionOf(filter, negated);
  return { [path]: attribute.many ? { $elemMatch: condition } : condition };
}

/** Conditions of rules occur in several places: each is read once. */
function add(before: IdQuery[], query: IdQuery): Document {
  const index = before.findIndex((idQuery) => isDeepStrictEqual(idQuery, query));
  if (index >= 0) return { $ids: index };
  const most = bounds.filterRelations;
  if (before.length === most) throw new AppError('tooCostly', 'relations in filters', most);
  before.push(query);
  return { $ids: before.length - 1 };
}
