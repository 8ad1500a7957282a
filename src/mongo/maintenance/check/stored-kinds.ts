import type { Document } from 'mongodb';

/** Entries and components have whole numbers from 1 as ids. */
export const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

/** Fields by name: neither a list, a date, nor one of the driver's own kinds of values. */
export const isFields = (value: unknown): value is Document =>
  kindOf(value) === undefined && Object.prototype.toString.call(value) === '[object Object]';

/** The BSON type of a value without a JavaScript type: `Long`, `ObjectId`. */
export const kindOf = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null && '_bsontype' in value ? String(value['_bsontype']) : undefined;

/** Values that must not be stored: their field is absent instead. */
export const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

const MAX_LENGTH = 40;

/** A stored value for messages: short values unchanged, others by their kind. */
export function describeValue(value: unknown): string {
  const isShort = typeof value === 'string' && value.length <= MAX_LENGTH;
  return isShort || typeof value === 'number' || typeof value === 'boolean' || value === null
    ? JSON.stringify(Number.isNaN(value) ? 'NaN' : value)
    : describeKind(value);
}

/** The kind of a stored value, for messages that must not show it. */
export function describeKind(value: unknown): string {
  if (value === undefined) return 'absent';
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : `a ${typeof value}`;
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Date) return 'a date';
  const kind = kindOf(value);
  return kind === undefined ? 'an object' : `of the kind ${kind}`;
}
