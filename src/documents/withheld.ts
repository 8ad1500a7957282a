import type { Attribute, ContentType } from '../content-types/model/types.js';
import { AppError } from '../errors/app-error.js';
import type { Field, Filter, Query, Selection, SortKey } from '../query/ast.js';

/** Attributes of a content type that a caller may not read, as if they were private; undefined: none. */
export type Withheld = ReadonlySet<Attribute> | undefined;

/** The attributes that are withheld from the entries of a relation. */
type WithheldOf = (type: ContentType) => Withheld;

/** A selection without the attributes. @throws AppError invalidParameter for one that the request names */
export function keepFields<S extends Selection>(selection: S, withheld: Withheld): S {
  if (withheld === undefined) return selection;
  for (const field of selection.named ?? []) refuse(field, withheld);
  return { ...selection, fields: selection.fields.filter((field) => !withheld.has(field)) };
}

/** Checks that a filter and a sort do not use the attributes. @throws AppError invalidParameter, naming the first that does */
export function assertUsable(
  { filter, sort }: Pick<Query, 'filter' | 'sort'>,
  withheld: Withheld,
  withheldOf: WithheldOf,
): void {
  if (filter !== undefined) readableFilter(filter, withheld, withheldOf);
  for (const key of sort) assertSortable(key, withheld, withheldOf);
}

function assertSortable({ through, field }: SortKey, withheld: Withheld, withheldOf: WithheldOf): void {
  let level = withheld;
  for (const step of through) {
    refuse(step, level);
    level = step.kind === 'relation' ? withheldOf(step.target) : undefined;
  }
  refuse(field, level);
}

/** A filter with a search that skips the attributes. @throws AppError invalidParameter for conditions on them */
export function readableFilter(filter: Filter, withheld: Withheld, withheldOf: WithheldOf): Filter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { ...filter, filters: filter.filters.map((part) => readableFilter(part, withheld, withheldOf)) };
    case 'not':
    case 'except':
      return { ...filter, filter: readableFilter(filter.filter, withheld, withheldOf) };
    case 'component':
    case 'zone':
      refuse(filter.attribute, withheld);
      return { ...filter, filter: readableFilter(filter.filter, undefined, withheldOf) };
    case 'related':
      refuse(filter.attribute, withheld);
      return { ...filter, filter: readableFilter(filter.filter, withheldOf(filter.attribute.target), withheldOf) };
    case 'comparison':
      refuse(filter.field, withheld);
      return filter;
    case 'search':
      return {
        ...filter,
        fields: filter.fields.filter((field) => field.kind === 'id' || withheld?.has(field) !== true),
      };
    case 'live':
    case 'refers':
    case 'fallback':
    case 'never':
      return filter;
    default:
      return filter satisfies never;
  }
}

function refuse(field: Attribute | Field, withheld: Withheld): void {
  if (field.kind !== 'id' && withheld?.has(field) === true) throw new AppError('invalidParameter', field.name);
}
