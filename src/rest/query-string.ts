import qs from 'qs';
import { AppError } from '../errors/app-error.js';
import type { QueryInput } from '../query/parse/input.js';

/**
 * Brackets that nest: the filters' own limit is lower (see query/parse-filters), and populate's cost is limited
 * instead of its depth. Lists of more than 100 elements become objects, as in Strapi v4.
 */
const options = { depth: 400, arrayLimit: 100, parameterLimit: Infinity, strictNullHandling: true } as const;
const MOST_PARAMETERS = 1000;

/**
 * Parses a query string, brackets nested.
 * @throws AppError tooCostly for more than 1,000 parameters
 */
export function parseQueryString(text: string): QueryInput {
  if (text === '') return {};
  const parameters = text.split('&', MOST_PARAMETERS + 1);
  if (parameters.length > MOST_PARAMETERS) throw new AppError('tooCostly', 'parameters', MOST_PARAMETERS);
  return qs.parse(parameters.filter((parameter) => !isOpen(parameter)).join('&'), options);
}

/** As recorded: a parameter whose last bracket is left open belongs to nothing. */
function isOpen(parameter: string): boolean {
  const [name = ''] = parameter.split('=', 1);
  const last = (plain: string, encoded: string): number =>
    Math.max(name.lastIndexOf(plain), name.toUpperCase().lastIndexOf(encoded));
  return last('[', '%5B') > last(']', '%5D');
}
