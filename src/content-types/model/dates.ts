import { isValid } from 'date-fns/isValid';
import { lightFormat } from 'date-fns/lightFormat';
import { parseISO } from 'date-fns/parseISO';
import { AppError } from '../../errors/app-error.js';

const DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])/;
const TIME = /^(2[0-3]|[01]\d):([0-5]\d):([0-5]\d)(?:\.(\d{1,3}))?$/;
/** Blanks may follow, as in Strapi v4. */
const MILLISECONDS = /^-?\d+\s*$/;

/**
 * A day as `yyyy-MM-dd`. As in Strapi v4, a time or zone after the day is ignored.
 * @throws AppError invalidValue
 */
export function parseDay(value: unknown): string {
  const text = value instanceof Date && isValid(value) ? value.toISOString() : value;
  const day = typeof text === 'string' ? DATE.exec(text)?.[0] : undefined;
  if (day === undefined) throw new AppError('invalidValue', 'Invalid format, expected yyyy-MM-dd');
  if (!isValid(parseISO(day))) throw new AppError('invalidValue', 'Invalid date');
  return day;
}

/**
 * A time of day as `HH:mm:ss.SSS`; of a `Date`, as in Strapi v4, in the process's zone.
 * @throws AppError invalidValue
 */
export function parseTimeOfDay(value: unknown): string {
  if (value instanceof Date && isValid(value)) return lightFormat(value, 'HH:mm:ss.SSS');
  if (typeof value !== 'string') throw new AppError('invalidValue', `Expected a string, got a ${typeof value}`);
  const match = TIME.exec(value);
  if (match === null) throw new AppError('invalidValue', 'Invalid time format, expected HH:mm:ss.SSS');
  const [, hours, minutes, seconds, fraction = ''] = match;
  return `${hours}:${minutes}:${seconds}.${fraction.padEnd(3, '0')}`;
}

/** `09:30:00` for `09:30:00.000`, and `09:30:00.12` for `09:30:00.120`. */
export const trimTime = (time: string): string => time.replace(/\.0+$|(?<=\.\d+)0+$/, '');

/**
 * Parses an ISO date or milliseconds since 1970, like Strapi v4 (without a zone: the process's zone).
 * @throws AppError invalidValue
 */
export function parseDateTime(value: unknown): Date {
  if (value instanceof Date && isValid(value)) return value;
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const iso = parseISO(text);
  if (isValid(iso)) return iso;
  const dateTime = MILLISECONDS.test(text) ? new Date(Number(text)) : undefined;
  if (dateTime === undefined || !isValid(dateTime)) {
    throw new AppError('invalidValue', 'Invalid format, expected a timestamp or an ISO date');
  }
  return dateTime;
}

/** Like `toJSON` of a date, in two thirds of the time; lists contain hundreds of dates. An invalid date is null. */
export const writeDateTime = (dateTime: Date): string | null =>
  Number.isNaN(dateTime.getTime()) ? null : dateTime.toISOString();
