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

/** The last timestamp with a four-digit year. */
const MAX_TIMESTAMP = Date.UTC(10_000, 0) - 1;
/** The character code of the decimal digit at this unit, of a number below 2^31: `Math.trunc` takes longer. */
const digit = (number: number, unit: number): number => 48 + (((number / unit) | 0) % 10);
const DAY = 86_400_000;
const [DASH, T, COLON, DOT, Z] = [45, 84, 58, 46, 90];

/** A faster `toJSON` of dates (a fifth of the time), which returns a flat string; lists contain hundreds of dates. */
export function writeDateTime(dateTime: Date): string | null {
  const time = dateTime.getTime();
  // Earlier or later dates may have years of more or fewer digits; an invalid date is null.
  if (!(time >= 0 && time <= MAX_TIMESTAMP)) return dateTime.toJSON();
  const year = dateTime.getUTCFullYear();
  const month = dateTime.getUTCMonth() + 1;
  const day = dateTime.getUTCDate();
  const milliseconds = time % DAY;
  const seconds = Math.trunc(milliseconds / 1000);
  const minutes = Math.trunc(seconds / 60);
  const hour = Math.trunc(minutes / 60);
  const minute = minutes % 60;
  const second = seconds % 60;
  const millisecond = milliseconds % 1000;
  // prettier-ignore
  return String.fromCharCode(
    digit(year, 1000), digit(year, 100), digit(year, 10), digit(year, 1), DASH,
    digit(month, 10), digit(month, 1), DASH, digit(day, 10), digit(day, 1), T,
    digit(hour, 10), digit(hour, 1), COLON, digit(minute, 10), digit(minute, 1), COLON,
    digit(second, 10), digit(second, 1), DOT,
    digit(millisecond, 100), digit(millisecond, 10), digit(millisecond, 1), Z,
  );
}
