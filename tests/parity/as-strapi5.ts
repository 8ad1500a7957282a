import qs from 'qs';
import { parametersOf, selectionOf } from './as-rest.js';
import type { Listing, Nested, Values, Wish } from './random-request.js';

type Data = Readonly<Record<string, unknown>>;

/**
 * The path and query string of a wish in Strapi 5's form: lists within entries have no pages, and the status is that of
 * the request.
 */
export function asStrapi5({ type, listing, values }: Wish, status: 'draft' | 'published'): string {
  const { start, limit } = listing;
  const query = { ...conditionsOf(listing), ...selectionOf(values, nestedOf), status, pagination: { start, limit } };
  return `/v5/api/${type.pluralName}?${qs.stringify(query)}`;
}

function conditionsOf(listing: Listing): Data {
  const { start: _start, limit: _limit, publicationState: _state, ...conditions } = parametersOf(listing);
  return conditions;
}

function nestedOf(nested: Nested): Data {
  const select = (values: Values): Data => selectionOf(values, nestedOf);
  if ('on' in nested) return { on: Object.fromEntries([...nested.on].map(([uid, values]) => [uid, select(values)])) };
  return { ...(nested.listing && conditionsOf(nested.listing)), ...select(nested.values) };
}
