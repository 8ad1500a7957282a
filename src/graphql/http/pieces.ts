/** Characters of a piece. */
const PIECE = 2 ** 18;

/** A long text in pieces, made one by one when it is gone through; a short one as it is. */
export const toPieces = (text: string): string | Iterable<string> =>
  text.length <= PIECE ? text : { [Symbol.iterator]: () => piecesOf(text) };

function* piecesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = start + PIECE;
    // Do not split a surrogate pair.
    const next = isHighSurrogate(text.charCodeAt(end - 1)) ? end + 1 : end;
    yield text.slice(start, next);
    start = next;
  }
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd8_00 && unit <= 0xdb_ff;
