import lodash from 'lodash';
import qs from 'qs';
import { bounds } from '../config/bounds.js';
import { AppError } from '../errors/app-error.js';
import type { QueryInput } from '../query/parse/input.js';

/** A request, with the application that received it. */
export interface Asked extends Received {
  readonly originalUrl: string;
}

interface Received {
  readonly app?: object;
}

/** Parses a query string, brackets nested. @throws AppError tooCostly for too many parameters */
export type ParseQueryString = (text: string) => QueryInput;

/** The parameters of a request's query string. @throws AppError tooCostly */
export const queryOf = (request: Asked): QueryInput => parserFor(request)(queryStringOf(request));

/** What parses the query strings of requests: the application's setting `query parser`. */
export function parserFor({ app }: Received): ParseQueryString {
  const settings: { get?(setting: string): unknown } | undefined = app;
  return (settings?.get?.('query parser fn') as ParseQueryString | undefined) ?? parseQueryString;
}

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
const defaults = {
  depth: 400,
  arrayLimit: 100,
  parameterLimit: Infinity,
  strictNullHandling: true,
  strictMerge: false,
};

/**
 * The options of `strapi::query`, which are those of qs, but for what no parameter can mean, such as other delimiters.
 */
export const queryOptions = [
  'allowDots',
  'allowEmptyArrays',
  'allowSparse',
  'arrayLimit',
  'charset',
  'charsetSentinel',
  'comma',
  'decodeDotInKeys',
  'depth',
  'duplicates',
  'interpretNumericEntities',
  'parameterLimit',
  'parseArrays',
  'strictNullHandling',
] as const;

/**
 * @param chosen options of `strapi::query`
 * @throws TypeError for values that qs does not take
 */
export function createParseQueryString(chosen: object = {}): ParseQueryString {
  const wanted = { ...defaults, ...lodash.pick<Partial<typeof defaults>>(chosen, queryOptions) };
  const options = {
    ...wanted,
    depth: Math.min(wanted.depth, defaults.depth),
    // A list has no more elements than there are parameters.
    arrayLimit: Math.min(wanted.arrayLimit, bounds.parameters),
  };
  qs.parse('', options);
  return (text) => {
    if (text === '') return {};
    const parameters = text.split('&', bounds.parameters + 1);
    if (parameters.length > bounds.parameters) throw new AppError('tooCostly', 'parameters', bounds.parameters);
    return qs.parse(parameters.flatMap(closedBrackets).join('&'), options);
  };
}

/** Parses a query string as Strapi v4 does by default. */
export const parseQueryString = createParseQueryString();

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
