import { responseTooLong } from '../../mongo/read/read-batch.js';
import { createHash } from 'node:crypto';

/** Characters from which the bytes of a string are counted: shorter ones count as ASCII. */
const LONG = 500;

/**
 * The approximate number of bytes of a value as JSON. Strings count with their bytes without escapes, other values with
 * their approximate maximum. Counting stops beyond `max`.
 */
export const jsonSize = (value: unknown, max: number): number => max - remainingOf(value, max);

/** The rest of a budget after a value; counting stops below zero. */
function remainingOf(value: unknown, budget: number): number {
  if (typeof value === 'string') return budget - 2 - textSize(value);
  if (value === null) return budget - 4;
  if (typeof value === 'object') return remainingOfObject(value, budget);
  return typeof value === 'number' || typeof value === 'boolean' ? budget - 8 : budget;
}

function remainingOfObject(value: object, budget: number): number {
  let rest = budget - 2;
  if (Array.isArray(value)) {
    for (const element of value) {
      if (rest < 0) return rest;
      rest = remainingOf(element, rest - 1);
    }
    return rest;
  }
  if (value instanceof Date) return budget - 26;
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === 'function') return remainingOf(Reflect.apply(toJSON, value, ['']), budget);
  for (const key in value) {
    if (rest < 0) return rest;
    rest = remainingOf((value as Readonly<Record<string, unknown>>)[key], rest - key.length - 4);
  }
  return rest;
}

/** Bytes of a string, without escapes. */
export const textSize = (text: string): number => (text.length < LONG ? text.length : Buffer.byteLength(text));

/** The remaining size of the response to one request. @param limit bytes of the complete response */
export function createResponseBudget(limit: number) {
  let remaining = limit;
  return {
    /** Bytes; below zero when it is exceeded. */
    get remaining() {
      return remaining;
    },
    /** The response is too long, whatever else it has. */
    exhaust: (): void => {
      remaining = -1;
    },
    /** @throws AppError tooCostly if fewer bytes are left */
    spend: (bytes: number): void => {
      remaining -= bytes;
      if (remaining < 0) throw responseTooLong(limit);
    },
  };
}

export type ResponseBudget = ReturnType<typeof createResponseBudget>;

/** The weak tag that express computes for a body. */
export function tagOf(body: string | Uint8Array | Iterable<string>): string {
  const hash = createHash('sha1');
  let length = 0;
  for (const chunk of typeof body === 'string' || body instanceof Uint8Array ? [body] : body) {
    hash.update(chunk);
    length += Buffer.byteLength(chunk);
  }
  return `W/"${length.toString(16)}-${hash.digest('base64').slice(0, 27)}"`;
}
