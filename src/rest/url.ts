import qs from 'qs';
import { AppError } from '../errors/app-error.js';
import type { QueryInput } from '../query/parse/input.js';

/** The parts of a request's URL; proxies are sent the origin too. */
const parts = /^(https?:\/\/[^/?#]*)?([^?#]*)(.*)$/is;

/**
 * A percent-encoded letter, digit, `-`, `.`, `_` or `~`, which means the same as the character. Behind another percent sign it stays,
 * because the result would be decoded a second time.
 */
const needlessCode = /(?<!%[\da-f]?)%(?:2[DE]|3\d|4[1-9A-F]|5[\dAF]|6[1-9A-F]|7[\dAE])/gi;

const dotSegment = /\/\.\.?(?:\/|$)/;

/**
 * The URL of a request with one spelling of its path (RFC 3986, section 6.2.2): without needless percent-encoding and dot segments. Routers
 * compare a path as it is written and decode only parameters, so that an encoded letter would lead from the route that names a segment to
 * one with a parameter in its place.
 */
export function canonicalUrl(url: string): string {
  const [, origin = '', written = '', query = ''] = parts.exec(url) ?? [];
  const path = written.replaceAll(needlessCode, (code) => decodeURIComponent(code));
  return origin + (dotSegment.test(path) ? withoutDotSegments(path) : path) + query;
}

function withoutDotSegments(path: string): string {
  const [root = '', ...segments] = path.split('/');
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment === '..') kept.pop();
    else if (segment !== '.') kept.push(segment);
  }
  // The path of a folder ends with a slash.
  const isFolder = segments.at(-1) === '.' || segments.at(-1) === '..';
  return [root, ...kept, ...(isFolder ? [''] : [])].join('/');
}

/**
 * Brackets that nest: the filters' own limit is lower (see query/parse-filters), and populate's cost is limited
 * instead of its depth. Lists of more than 100 elements become objects, as in Strapi v4, and a string beside an object of the same name
 * becomes a key of it: `populate[a][fields]=b&populate=c` populates both.
 */
const options = {
  depth: 400,
  arrayLimit: 100,
  parameterLimit: Infinity,
  strictNullHandling: true,
  strictMerge: false,
} as const;
const MAX_PARAMETERS = 1000;

/**
 * Parses a query string, brackets nested.
 * @throws AppError tooCostly for more than 1,000 parameters
 */
export function parseQueryString(text: string): QueryInput {
  if (text === '') return {};
  const parameters = text.split('&', MAX_PARAMETERS + 1);
  if (parameters.length > MAX_PARAMETERS) throw new AppError('tooCostly', 'parameters', MAX_PARAMETERS);
  return qs.parse(parameters.flatMap(closedBrackets).join('&'), options);
}

/**
 * A name without brackets, then flat pairs of brackets, and a value that cannot be mistaken for a part of the
 * name: most parameters are like that, and this takes a tenth of the time of the function below.
 */
const wellFormed =
  /^(?:[^%[\]=]|%(?!5[bd]))*(?:(?:\[|%5b)(?:[^%[\]=]|%(?!5[bd]))*(?:\]|%5d))*(?:=(?!.*(?:\]|%5d)=)|$)/is;

/**
 * A parameter with the brackets that Strapi v4 reads: those without nested brackets. Unclosed brackets are ignored, and a
 * parameter with an unclosed first bracket is dropped.
 */
function closedBrackets(parameter: string): readonly string[] {
  if (wellFormed.test(parameter)) return [parameter];
  const plain = parameter.replaceAll(/%5b/gi, '[').replaceAll(/%5d/gi, ']');
  const closed = plain.indexOf(']=') + 1 || plain.indexOf('=');
  const [name, value] = closed < 0 ? [plain, ''] : [plain.slice(0, closed), plain.slice(closed)];
  const [first = '', ...rest] = name.split(/(\[[^[\]]*\])/);
  const groups = rest.filter((_, index) => index % 2 === 0);
  return first.includes('[') ? [] : [first + groups.join('') + value];
}
