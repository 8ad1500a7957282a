import { isValid } from 'date-fns/isValid';
import { lightFormat } from 'date-fns/lightFormat';
import { parseISO } from 'date-fns/parseISO';
import { attributeTypes, isScalarType, type AttributeType } from '../../content-types/model/attribute-types.js';

interface ParseOptions {
  readonly type: string;
  readonly value: unknown;
  /** Other values are converted by their truthiness. */
  readonly forceCast?: boolean;
}

const timeFormat = /^(2[0-3]|[01][0-9]):([0-5][0-9]):([0-5][0-9])(.[0-9]{1,3})?$/;

function requireString(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new Error(`Expected a string, got a ${typeof value}`);
}

function parseTime({ value }: ParseOptions): string {
  if (value instanceof Date) return lightFormat(value, 'HH:mm:ss.SSS');
  const match = timeFormat.exec(requireString(value));
  if (match === null) throw new Error('Invalid time format, expected HH:mm:ss.SSS');
  const [, hours, minutes, seconds, fraction = '.000'] = match;
  return `${hours}:${minutes}:${seconds}.${fraction.slice(1).padEnd(3, '0')}`;
}

function parseDate({ value }: ParseOptions): string {
  const date = value instanceof Date ? value : parseISO(requireString(value));
  if (!isValid(date)) throw new Error('Invalid format, expected an ISO compatible date');
  return lightFormat(date, 'yyyy-MM-dd');
}

function parseDateTime({ value }: ParseOptions): Date {
  if (value instanceof Date) return value;
  const text = requireString(value);
  const date = [parseISO(text), new Date(/^[+-]?\d+$/.test(text) ? Number(text) : NaN)].find((parsed) =>
    isValid(parsed),
  );
  if (date === undefined) throw new Error('Invalid format, expected a timestamp or an ISO date');
  return date;
}

/** What Strapi v4 takes for a boolean. */
const booleans: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ...['true', 't', '1', 1, true].map((value) => [value, true] as const),
  ...['false', 'f', '0', 0, false].map((value) => [value, false] as const),
]);

function parseBoolean({ value, forceCast = false }: ParseOptions): boolean {
  const parsed = booleans.get(value);
  if (parsed !== undefined) return parsed;
  if (forceCast) return Boolean(value);
  throw new Error('Invalid boolean input. Expected "t","1","true","false","0","f"');
}

const parsers: Readonly<Partial<Record<AttributeType['kind'], (options: ParseOptions) => unknown>>> = {
  boolean: parseBoolean,
  number: ({ value }) => Number(value),
  time: parseTime,
  day: parseDate,
  instant: parseDateTime,
};

/**
 * `parseType` of `@strapi/utils`: converts a value to the type of an attribute. Values of other types are returned
 * unchanged.
 * @throws Error for a value that is invalid for the type
 */
export function parseType(options: ParseOptions): unknown {
  const parser = isScalarType(options.type) ? parsers[attributeTypes[options.type].kind] : undefined;
  return parser === undefined ? options.value : parser(options);
}
