import qs from 'qs';
import { bounds } from '../config/bounds.js';
import { AppError } from '../errors/app-error.js';
import type { QueryInput } from '../query/parse/input.js';

/** The parameters of a request's query string. @throws AppError tooCostly */
export const queryOf = (request: { readonly originalUrl: string }): QueryInput =>
  parseQueryString(queryStringOf(request));

/** The query string of a request, without the question mark; empty if there is none. */
export function queryStringOf({ originalUrl }: { readonly originalUrl: string }): string {
  const start = originalUrl.indexOf('?');
  return start < 0 ? '' : originalUrl.slice(start + 1);
}

/**
 * Brackets that nest: the filters' own limit is lower (see query/parse-filters), and populate's cost is limited
 * instead of its depth. Lists of more than 100 elements become objects (corpus: 21-query-errors/11-odd),
 * and a string beside an object of the same name
 * becomes a key of it: `populate[a][fields]=b&populate=c` populates both.
 */
const options = {
  depth: 400,
  arrayLimit: 100,
  parameterLimit: Infinity,
  strictNullHandling: true,
  strictMerge: false,
} as const;

/**
 * Parses a query string, brackets nested.
 * @throws AppError tooCostly for too many parameters
 */
export function parseQueryString(text: string): QueryInput {
  if (text === '') return {};
  const parameters = text.split('&', bounds.parameters + 1);
  if (parameters.length > bounds.parameters) throw new AppError('tooCostly', 'parameters', bounds.parameters);
  return qs.parse(parameters.flatMap(closedBrackets).join('&'), options);
}

/**
 * A parameter with the brackets that Strapi v4 reads (corpus: 21-query-errors/11-odd): those without nested brackets.
 * Unclosed brackets are ignored, and a
 * parameter with an unclosed first bracket is dropped.
 */
function closedBrackets(parameter: string): readonly string[] {
  const plain = parameter.replaceAll(/%5b/gi, '[').replaceAll(/%5d/gi, ']');
  const closed = plain.indexOf(']=') + 1 || plain.indexOf('=');
  const [name, value] = closed < 0 ? [plain, ''] : [plain.slice(0, closed), plain.slice(closed)];
  const [first = '', ...rest] = name.split(/(\[[^[\]]*\])/);
  const groups = rest.filter((_, index) => index % 2 === 0);
  return first.includes('[') ? [] : [first + groups.join('') + value];
}
