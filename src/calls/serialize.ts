import type { Data } from '../config/record.js';
import { jsonSize, createResponseBudget } from '../documents/response/response-body.js';
import type { ResponseBody } from '../documents/response/response-cache.js';
import type { WrittenResponse } from '../documents/response/written-response.js';
import { responseTooLong } from '../mongo/read/read-batch.js';

/** The approximate size of a chunk in bytes. */
const PIECE = 2 ** 18;

/** Parts of a text in chunks that are created on demand, so that pending chunks take no memory. */
function* inPieces(parts: Iterable<string>): Generator<string> {
  let piece = '';
  for (const part of parts) {
    piece += part;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/**
 * The parts of a value's JSON: complete if they are short, otherwise the brackets and the elements between them.
 * @param size see `jsonSize`; to count it takes a while where an object has many names
 */
function* partsOf(value: unknown, size = jsonSize(value, PIECE)): Generator<string> {
  if (typeof value !== 'object' || value === null || size <= PIECE) {
    yield JSON.stringify(value) ?? 'null';
    return;
  }
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === 'function') {
    yield* partsOf(Reflect.apply(toJSON, value, ['']));
  } else if (Array.isArray(value)) {
    yield '[';
    yield* partsOfMembers(value, { valueOf: (element: unknown) => element, nameOf: () => '', write: withoutBrackets });
    yield ']';
  } else {
    const data = value as Data;
    const nameOf = (name: string): string => `${JSON.stringify(name)}:`;
    /** Undefined for what JSON leaves out. */
    const textOf = (name: string): string | undefined => {
      const text = JSON.stringify(data[name]) as string | undefined;
      return text && nameOf(name) + text;
    };
    yield '{';
    yield* partsOfMembers(Object.keys(data), {
      valueOf: (name) => data[name],
      nameOf,
      // An object made of the group would take four times as long, as each of its names is looked up in a table.
      write: (group) => group.flatMap((name) => textOf(name) ?? []).join(),
    });
    yield '}';
  }
}

interface MemberForm<M> {
  readonly valueOf: (member: M) => unknown;
  readonly nameOf: (member: M) => string;
  readonly write: (group: readonly M[]) => string;
}

const withoutBrackets = (list: readonly unknown[]): string => JSON.stringify(list).slice(1, -1);

/**
 * Members of a list or an object. Short ones are written in groups: a part for each of a hundred thousand would take
 * longer than all else.
 */
function* partsOfMembers<M>(members: readonly M[], { valueOf, nameOf, write }: MemberForm<M>): Generator<string> {
  let before = '';
  let group: M[] = [];
  let size = 0;
  for (const member of members) {
    const value = valueOf(member);
    const valueSize = jsonSize(value, PIECE);
    const added = valueSize + nameOf(member).length;
    const isShort = added <= PIECE;
    if (isShort) group.push(member);
    size += added;
    if (isShort && size <= PIECE) continue;
    const text = write(group);
    if (text !== '') {
      yield before + text;
      before = ',';
    }
    [group, size] = [[], 0];
    if (isShort) continue;
    yield before + nameOf(member);
    before = ',';
    yield* partsOf(value, valueSize);
  }
  const text = write(group);
  if (text !== '') yield before + text;
}

/**
 * A body as JSON, in chunks if it is long.
 * @param limit the maximum size in bytes
 * @throws AppError tooCostly before anything is written
 */
export function serializeJson(body: unknown, limit: number): ResponseBody {
  const text = serialized(body, limit);
  if (text === undefined) throw responseTooLong(limit);
  return text;
}

/** Undefined if it is too long. */
function serialized(body: unknown, limit: number): ResponseBody | undefined {
  const size = jsonSize(body, limit);
  if (size > limit) return undefined;
  return size <= PIECE ? JSON.stringify(body) : { [Symbol.iterator]: () => inPieces(partsOf(body, size)) };
}

/** The response to a write that was done, which no limit refuses any more. */
export const serializeWritten = ({ body, shortened }: WrittenResponse, limit: number): ResponseBody =>
  serialized(body, limit) ?? JSON.stringify(shortened);

/** Bytes beyond which a list is streamed. */
const LONG = 2 * PIECE;

/**
 * A list as JSON. A long one is never completely in memory: its entries are assembled once to find errors before the
 * first chunk is returned, and again one by one.
 * @param limit the maximum size in bytes
 * @throws AppError tooCostly
 */
export function serializeList(entries: readonly (() => unknown)[], meta: object, limit: number): ResponseBody {
  const budget = createResponseBudget(limit);
  let data: unknown[] = [];
  for (const entry of entries) {
    const presented = entry();
    budget.spend(jsonSize(presented, budget.remaining));
    if (limit - budget.remaining <= LONG) data.push(presented);
    else data = [];
  }
  if (data.length === entries.length) return JSON.stringify({ data, meta });
  return { [Symbol.iterator]: () => inPieces(partsOfList(entries, meta)) };
}

function* partsOfList(entries: readonly (() => unknown)[], meta: object): Generator<string> {
  let before = '{"data":[';
  for (const entry of entries) {
    yield before;
    yield* partsOf(entry());
    before = ',';
  }
  yield `],"meta":${JSON.stringify(meta)}}`;
}
