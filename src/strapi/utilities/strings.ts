import lodash from 'lodash';
import { slugOf, type SlugOptions } from '../../documents/slug.js';
import type { Named } from '../strapi.js';

const kebab = /^([a-z][a-z0-9]*)(-[a-z0-9]+)*$/;
const camel = /^[a-z][a-zA-Z0-9]+$/;

/** Joins parts with one separator between two, whatever their ends: each is trimmed where it meets another. */
function joinBy(joint: string, ...parts: readonly string[]): string {
  const last = parts.length - 1;
  return parts
    .map((part, index) => (index === 0 ? part : lodash.trimStart(part, joint)))
    .map((part, index) => (index === last ? part : lodash.trimEnd(part, joint)))
    .join(joint);
}

function getCommonBeginning(...strings: readonly string[]): string {
  const [first = '', ...others] = strings;
  let length = 0;
  while (length < first.length && others.every((other) => other[length] === first[length])) length += 1;
  return first.slice(0, length);
}

/** The paths of all values in an object that are not objects: `{ a: { b: 1 } }` has `a.b`. */
function keysDeep(value: unknown, path: readonly string[] = []): readonly string[] {
  if (typeof value !== 'object' || value === null) return [path.join('.')];
  return Object.entries(value).flatMap(([key, inner]) => keysDeep(inner, [...path, key]));
}

/** The functions of `@strapi/utils` for strings and plain objects. */
export const stringUtilities = {
  nameToSlug: (name: string, options?: SlugOptions): string => slugOf(name, options),
  nameToCollectionName: (name: string): string => slugOf(name, { separator: '_' }),
  toRegressedEnumValue: (value: string): string =>
    slugOf(value, { decamelize: false, lowercase: false, separator: '_' }),
  toKebabCase: (value: string): string => lodash.kebabCase(value),
  isKebabCase: (value: string): boolean => kebab.test(value),
  isCamelCase: (value: string): boolean => camel.test(value),
  startsWithANumber: (value: string): boolean => /^\d/.test(value),
  stringEquals: (left: unknown, other: unknown): boolean => String(left) === String(other),
  stringIncludes: (list: readonly unknown[], value: unknown): boolean => list.map(String).includes(String(value)),
  escapeQuery: (query: string, escaped: string, sign = '\\'): string =>
    query.replaceAll(/[\s\S]/g, (character) => (escaped.includes(character) ? `${sign}${character}` : character)),
  getCommonBeginning,
  joinBy,
  removeUndefined: (value: Named): Named => lodash.omitBy(value, lodash.isUndefined),
  keysDeep,
  generateTimestampCode: (date = new Date()): string => date.getTime().toString(36),
  template: {
    createStrictInterpolationRegExp: (names: readonly string[], flags?: string): RegExp =>
      new RegExp(`<%=\\s*(${names.join('|')})\\s*%>`, flags),
    createLooseInterpolationRegExp: (flags?: string): RegExp => new RegExp(/<%=([\s\S]+?)%>/, flags),
  },
};
