import type { Context } from 'koa';
import { defined, isRecord } from '../../config/record.js';
import { AppError } from '../../errors/app-error.js';
import type { QueryInput } from '../../query/parse/input.js';

/** A value in the form that it has in a URL, where code of the project also sets numbers, booleans and dates. */
export function urlForm(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(urlForm);
  if (value instanceof Date) return value.toISOString();
  if (isRecord(value)) return queryForm(value);
  return ['number', 'bigint', 'boolean'].includes(typeof value) ? String(value) : value;
}

const queryForm = (query: QueryInput): QueryInput =>
  Object.fromEntries(Object.entries(defined(query)).map(([name, value]) => [name, urlForm(value)]));

/**
 * What a route of the service reads of the URL, as code of the project has left it.
 * @throws AppError badRequest for a parameter of the path that is no text and no number: without it the route would do
 * something else
 */
export function urlOf(context: Pick<Context, 'query'> & { readonly params?: unknown }) {
  const params = Object.entries(defined(isRecord(context.params) ? context.params : {})).map(([name, value]) => {
    if (typeof value === 'string' || typeof value === 'number') return [name, String(value)] as const;
    throw new AppError('badRequest', `The parameter ${name} of the path must be a string or a number`);
  });
  return { params: Object.fromEntries(params), query: queryForm(context.query) };
}
