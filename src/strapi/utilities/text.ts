import slugify from '@sindresorhus/slugify';
import lodash from 'lodash';
import type { Anything, Named } from '../strapi.js';

const kebab = /^[a-z]+(?:[a-z0-9]*)(?:-[a-z0-9]+)*$/;
const camel = /^[a-z]+(?:[a-z0-9]*)(?:[A-Z][a-z0-9]*)*$/;

/** One part after the other, with one joint between two, whatever they begin and end with. */
function joinBy(joint: string, ...parts: readonly string[]): string {
  return parts.reduce((all, part) => `${lodash.trimEnd(all, joint)}${joint}${lodash.trimStart(part, joint)}`);
}

/** @throws Error for what is no date */
function moment(value: unknown): Date {
  const date = new Date(value as string);
  if (Number.isNaN(date.getTime())) throw new Error('Invalid format, expected a timestamp or an ISO date');
  return date;
}

const truths: Readonly<Record<string, boolean>> = {
  true: true,
  t: true,
  '1': true,
  false: false,
  f: false,
  '0': false,
};

/** Values of attributes, by type. */
const casts: Readonly<Record<string, (value: Anything) => unknown>> = {
  boolean: (value) => {
    if (typeof value === 'boolean') return value;
    const found = truths[String(value).toLowerCase()];
    if (found === undefined) throw new Error('Invalid boolean input. Expected "t","1","true","false","0","f"');
    return found;
  },
  integer: Number,
  biginteger: Number,
  float: Number,
  decimal: Number,
  date: (value) => moment(value).toISOString().slice(0, 10),
  datetime: moment,
  timestamp: moment,
  time: (value) => {
    const [, hours, minutes, seconds = '00', rest = '.000'] =
      /^(\d{2}):(\d{2})(?::(\d{2}))?(\.\d{1,3})?$/.exec(String(value)) ?? [];
    if (hours === undefined) throw new Error('Invalid time format, expected HH:mm:ss.SSS');
    return `${hours}:${minutes}:${seconds}${rest.padEnd(4, '0')}`;
  },
};

/** Functions of `@strapi/utils` on texts, objects and values. */
export const textUtilities = {
  removeUndefined: (value: Named): Named => lodash.pickBy(value, (one) => one !== undefined),
  nameToSlug: (name: string, options = { separator: '-' }): string => slugify(name, options),
  nameToCollectionName: (name: string): string => slugify(name, { separator: '_' }),
  toKebabCase: (value: string): string => lodash.kebabCase(value),
  isKebabCase: (value: string): boolean => kebab.test(value),
  isCamelCase: (value: string): boolean => camel.test(value),
  stringEquals: (one: unknown, other: unknown): boolean => String(one) === String(other),
  stringIncludes: (list: readonly unknown[], value: unknown): boolean => list.map(String).includes(String(value)),
  startsWithANumber: (value: string): boolean => /^\d/.test(value),
  getCommonBeginning: (...texts: readonly string[]): string => {
    const [first = '', ...others] = texts;
    let length = 0;
    while (length < first.length && others.every((text) => text[length] === first[length])) length += 1;
    return first.slice(0, length);
  },
  joinBy,
  parseType: ({ type, value }: { readonly type: string; readonly value: unknown }): unknown =>
    Object.hasOwn(casts, type) ? casts[type]?.(value) : value,
  pipeAsync:
    (...steps: readonly ((value: Anything) => unknown)[]) =>
    async (value: unknown): Promise<unknown> => {
      let result = value;
      for (const step of steps) result = await step(result);
      return result;
    },
  mapAsync: async (list: readonly unknown[], work: (one: unknown, index: number) => unknown): Promise<unknown> =>
    Promise.all(list.map(work)),
};
