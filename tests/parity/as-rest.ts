import qs from 'qs';
import { isRecord } from '../../src/config/record.js';
import type { Listing, Nested, Values, Wish } from './random-request.js';

type Data = Readonly<Record<string, unknown>>;

/** The path and query string of a wish. */
export function asRest({ type, listing, values }: Wish): string {
  const { start, limit, ...rest } = parametersOf(listing);
  const query = { ...rest, ...selectionOf(values), pagination: { start, limit } };
  return `/api/${type.pluralName}?${qs.stringify(query)}`;
}

export const parametersOf = ({ filters, sort, start, limit, state }: Listing): Data => ({
  ...(filters && { filters: withDollars(filters) }),
  ...(sort.length > 0 && { sort }),
  ...(state && { publicationState: state }),
  start,
  limit,
});

/**
 * No field at all would mean every field; the id comes by itself.
 * @param ofNested what is requested of an attribute in it
 */
export const selectionOf = ({ scalars, nested }: Values, ofNested = nestedOf): Data => ({
  fields: ['id', ...scalars.map(({ name }) => name)],
  populate: Object.fromEntries(nested.map((one) => [one.attribute.name, ofNested(one)])),
});

function nestedOf(nested: Nested): Data {
  if ('on' in nested) {
    return { on: Object.fromEntries([...nested.on].map(([uid, values]) => [uid, selectionOf(values)])) };
  }
  // Unspecified, REST inherits it from the level above; GraphQL shows drafts.
  const state = { publicationState: 'preview' };
  return { ...state, ...(nested.listing && parametersOf(nested.listing)), ...selectionOf(nested.values) };
}

const operators = new Set(
  'and or not eq eqi ne nei gt gte lt lte in notIn null notNull contains notContains containsi notContainsi startsWith endsWith'.split(
    ' ',
  ),
);

export function withDollars(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withDollars);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [operators.has(name) ? `$${name}` : name, withDollars(inner)]),
  );
}
