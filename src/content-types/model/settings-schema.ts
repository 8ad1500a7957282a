import { isRecord } from '../../config/record.js';
import { isCacheControl } from '../../config/values.js';
import type { ComparedValue, EditorText } from './editor-options.js';
import type { IndexKeys } from './types.js';

/** A rule for a JSON value: its description for messages, and its test. */
export interface Schema<T> {
  readonly expected: string;
  readonly test: (value: unknown) => value is T;
}

const shape = <T>(expected: string, test: (value: unknown) => value is T): Schema<T> => ({ expected, test });

const isString = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => Number.isFinite(value);
const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** A string that matches a pattern. */
const matching = (expected: string, pattern: RegExp): Schema<string> =>
  shape(expected, (value): value is string => isString(value) && pattern.test(value));

export const boolean = shape('true or false', (value) => typeof value === 'boolean');
export const string = shape('a string', isString);
const isFilled = (value: unknown): value is string => isString(value) && /\S/.test(value);
export const filledString = shape('a string that is not empty', isFilled);
const LANGUAGE = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/;

export const textByLanguage = shape(
  'a string that is not empty, or such strings by language, e.g. { "en": "Price", "de": "Preis" }',
  (value): value is EditorText =>
    isFilled(value) ||
    (isRecord(value) &&
      Object.keys(value).length > 0 &&
      Object.entries(value).every(([language, text]) => LANGUAGE.test(language) && isFilled(text))),
);
export const number = shape('a number', isNumber);
export const integer = shape('an integer', isInteger);
export const count = shape('a non-negative integer', (value): value is number => isInteger(value) && value >= 0);
export const positive = shape('a positive integer', (value): value is number => isInteger(value) && value >= 1);
export const bigInteger = shape(
  'an integer, as a number or a string of digits',
  (value): value is number | string => isInteger(value) || (isString(value) && /^-?\d+$/.test(value)),
);
export const numberOrText = shape('a number or a string', (value) => isNumber(value) || isString(value));
export const record = shape('an object', isRecord);
export const list = shape('a list', isList);
/** Also for a secret, which a message must not contain. */
export const anything = shape('anything', (value): value is unknown => value !== undefined);
const isCompared = (value: unknown): value is ComparedValue =>
  isString(value) || isNumber(value) || typeof value === 'boolean';
export const comparedValue = shape('a string, a number, true or false', isCompared);
export const comparedValues = shape(
  'a list of at least one string, number, true or false',
  (value): value is readonly ComparedValue[] => isList(value) && value.length > 0 && value.every(isCompared),
);
export const strings = shape(
  'a list of strings',
  (value): value is readonly string[] => isList(value) && value.every(isString),
);

// Source: Strapi v4's own rule for singular and plural names.
export const kebabName = matching('a name in kebab-case, e.g. "blog-post"', /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/);
export const collectionName = matching(
  'a name of letters, digits, - and _ that begins with a letter',
  /^[A-Za-z][\w-]*$/,
);
export const graphqlName = matching('a name of letters, digits and _ that begins with a letter', /^(?:[A-Za-z]\w*)?$/);

export const indexes = shape(
  'a list of attributes with 1 or -1, e.g. [{ "kind": 1, "views": -1 }]',
  (value): value is readonly IndexKeys[] => isList(value) && value.every(isIndexKeys),
);

function isIndexKeys(value: unknown): value is IndexKeys {
  const directions = isRecord(value) ? Object.values(value) : [];
  return directions.length > 0 && directions.every((direction) => direction === 1 || direction === -1);
}

export const cacheControl = shape(
  'a value of the header Cache-Control, such as "public, max-age=60"',
  (value): value is string => isString(value) && isCacheControl(value),
);

export const httpUrl = shape(
  'a URL that begins with http:// or https://',
  (value): value is string => isString(value) && /^https?:\/\//.test(value) && URL.canParse(value),
);

/** One of several strings. */
export const oneOf = <const T extends string>(...texts: readonly T[]): Schema<T> =>
  shape(texts.map((text) => `"${text}"`).join(' or '), (value): value is T => texts.some((text) => text === value));

/** A list of some of several strings. */
export const someOf = <const T extends string>(...texts: readonly T[]): Schema<readonly T[]> =>
  shape(
    `a list of ${texts.map((text) => `"${text}"`).join(', ')}`,
    (value): value is readonly T[] => isList(value) && value.every((item) => texts.some((text) => text === item)),
  );
