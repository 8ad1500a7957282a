import { bounds } from '../../config/bounds.js';
import { attributeTypes, type ScalarValue } from '../../content-types/model/attribute-types.js';
import { AppError } from '../../errors/app-error.js';
import type { Cursor, Field, SortKey } from '../ast.js';
import { isNothing } from './input.js';

/**
 * Parses the `meta.pagination.next` of a list with the same sort; an empty cursor means the first page. A cursor is
 * valid only in its canonical form, with this sort and values of the keys' types.
 * @throws AppError invalidCursor
 */
export function parseCursor(input: unknown, sort: readonly SortKey[]): Cursor {
  if (isNothing(input)) return [];
  try {
    const cursor = typeof input === 'string' ? readCursor(input, sort) : undefined;
    if (cursor !== undefined && writeCursor(cursor, sort) === input) return cursor;
  } catch {
    // Invalid JSON, or an invalid date or time: not a cursor.
  }
  throw new AppError('invalidCursor', 'it is not a cursor of a list with this sort');
}

/**
 * A position in a sorted list, encoded for clients. It contains the values of the sort keys, which a client that sorts
 * by them can read.
 * @throws AppError tooCostly when they are too long
 */
export function writeCursor(cursor: Cursor, sort: readonly SortKey[]): string {
  const id = cursor.at(-1);
  const values = sort.map(({ field }, index) => written(field, cursor[index] ?? null));
  const text = Buffer.from(JSON.stringify([describeSort(sort), ...values, id])).toString('base64url');
  const most = bounds.cursorCharacters;
  if (text.length > most) throw new AppError('tooCostly', 'characters in a cursor; sort by shorter values', most);
  return text;
}

function readCursor(text: string, sort: readonly SortKey[]): Cursor | undefined {
  const elements: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
  if (!Array.isArray(elements) || elements.length !== sort.length + 2) return undefined;
  const values = sort.map(({ field }, index) => read(field, elements[index + 1]));
  const id = readId(elements.at(-1));
  const cursorValues = [...values, id];
  return cursorValues.every((value) => value !== undefined) && id !== null ? cursorValues : undefined;
}

/** A sort in the syntax of clients. */
export const describeSort = (sort: readonly SortKey[]): string =>
  sort
    .map(({ through, field, direction }) => {
      const path = [...through, field].map(({ name }) => name).join('.');
      return direction === 'ascending' ? path : `${path}:desc`;
    })
    .join();

/** JSON encodes dates as ISO strings; the database returns small big integers as numbers. */
const written = (field: Field, value: ScalarValue | null): unknown =>
  field.kind === 'scalar' && attributeTypes[field.type].shape === 'long' && value !== null ? String(value) : value;

function read(field: Field, value: unknown): ScalarValue | null | undefined {
  if (value === null) return null;
  return field.kind === 'id' ? readId(value) : attributeTypes[field.type].operand(value);
}

const readId = (value: unknown): number | undefined => (Number.isSafeInteger(value) ? (value as number) : undefined);
