import { bounds } from '../../config/bounds.js';
import { isRecord, type Data } from '../../config/record.js';
import { AppError } from '../../errors/app-error.js';

/** The unparsed, untrusted parameters of a transport. */
export type QueryInput = Data;

/** Whether a value is an object with conditions in it. Dates are values. */
export const isNested = (value: unknown): value is Data => isRecord(value) && !(value instanceof Date);

/** The entries of an object; a list's entries go by their index, as in JavaScript. */
export const entriesOf = (value: object): readonly (readonly [string, unknown])[] => Object.entries(value);

/** The parameter is absent, empty, or has no `=`. */
export const isNothing = (value: unknown): value is undefined | null | '' =>
  value === undefined || value === null || value === '';

/**
 * The text that JavaScript makes of a value in a request. It cannot do so itself: an object may have a `toString` that
 * is no function.
 */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map((part: unknown) => (isNothing(part) ? '' : textOf(part))).join(',');
  return isRecord(value) ? '[object Object]' : String(value);
}

/**
 * The names between the commas of texts.
 * @throws AppError tooCostly for too many, which arguments of GraphQL have room for
 */
export function splitNames(texts: readonly string[]): readonly string[] {
  const most = bounds.names;
  const names = texts.flatMap((text) => text.split(',', most + 1));
  if (names.length > most) throw new AppError('tooCostly', 'names in a parameter', most);
  return names;
}

/** Whether a parameter is true; default: false. @throws AppError invalidParameter */
export function flagOf(query: QueryInput, name: string): boolean {
  const { [name]: value = 'false' } = query;
  if (value !== 'true' && value !== 'false') throw new AppError('invalidParameter', name);
  return value === 'true';
}

/**
 * The id in a path, a form or an argument, where code of the project also sets numbers; undefined if it is not an id.
 */
export function parseId(value: unknown): number | undefined {
  const isDigits = typeof value === 'string' && /^\d+$/.test(value);
  const id = isDigits || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isSafeInteger(id) && id >= 0 ? id : undefined;
}

/** The id of an entry that must exist. @throws AppError notFound if it is not an id */
export function requireId(value: unknown, message?: string): number {
  const id = parseId(value);
  if (id === undefined) throw new AppError('notFound', message);
  return id;
}
