import { jsonSize } from '../../documents/response/json-size.js';

/** Bytes of a piece, give or take one text. */
export const PIECE = 2 ** 18;

/** A value as JSON, in pieces that are made when they are asked for: what is not sent yet takes no memory beside the value. */
export function* jsonPieces(value: unknown): Generator<string> {
  let piece = '';
  for (const part of partsOf(value)) {
    piece += part;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** The parts of a value's JSON: whole where they are short, else the brackets and what is between them. */
function* partsOf(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null || jsonSize(value, PIECE) <= PIECE) {
    yield JSON.stringify(value) ?? 'null';
    return;
  }
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === 'function') {
    yield* partsOf(Reflect.apply(toJSON, value, ['']));
  } else if (Array.isArray(value)) {
    let before = '[';
    for (const one of value) {
      yield before;
      yield* partsOf(one);
      before = ',';
    }
    yield ']';
  } else {
    let before = '{';
    for (const [key, one] of Object.entries(value)) {
      if (!isWritten(one)) continue;
      yield `${before}${JSON.stringify(key)}:`;
      yield* partsOf(one);
      before = ',';
    }
    yield '}';
  }
}

/** JSON leaves such properties out. */
const isWritten = (value: unknown): boolean => !['undefined', 'function', 'symbol'].includes(typeof value);
