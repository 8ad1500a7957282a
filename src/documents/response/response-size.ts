import { responseTooLong } from '../../mongo/read/read-batch.js';

/** Characters from which the bytes of a string are counted: shorter ones count as ASCII. */
const LONG = 500;

/**
 * The approximate number of bytes of a value as JSON. Strings count with their bytes without escapes, other values with their
 * approximate maximum. Counting stops beyond `max`.
 */
export const jsonSize = (value: unknown, max: number): number => max - left(value, max);

/** The rest of a budget after a value; counting stops below zero. */
function left(value: unknown, budget: number): number {
  if (typeof value === 'string') return budget - 2 - textSize(value);
  if (value === null) return budget - 4;
  if (typeof value === 'object') return leftOfObject(value, budget);
  return typeof value === 'number' || typeof value === 'boolean' ? budget - 8 : budget;
}

function leftOfObject(value: object, budget: number): number {
  let rest = budget - 2;
  if (Array.isArray(value)) {
    for (const element of value) {
      if (rest < 0) return rest;
      rest = left(element, rest - 1);
    }
    return rest;
  }
  if (value instanceof Date) return budget - 26;
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === 'function') return left(Reflect.apply(toJSON, value, ['']), budget);
  for (const key in value) {
    if (rest < 0) return rest;
    rest = left((value as Readonly<Record<string, unknown>>)[key], rest - key.length - 4);
  }
  return rest;
}

/** Bytes of a string, without escapes. */
export const textSize = (text: string): number => (text.length < LONG ? text.length : Buffer.byteLength(text));

/** The remaining size of the response to one request. */
export interface ResponseBudget {
  /** Bytes; below zero when it is exceeded. */
  readonly left: number;
  /** @throws AppError tooCostly if fewer bytes are left */
  spend(bytes: number): void;
}

/** @param limit bytes of the complete response */
export function createResponseBudget(limit: number): ResponseBudget {
  let left = limit;
  return {
    get left() {
      return left;
    },
    spend: (bytes) => {
      left -= bytes;
      if (left < 0) throw responseTooLong(limit);
    },
  };
}
