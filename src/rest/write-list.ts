import type { Text } from '../mongo/answers.js';
import type { MakeEntry } from '../mongo/assemble.js';

/** Characters from which a list is written in pieces, and of a piece, give or take an entry. */
const PIECE = 2 ** 18;

/**
 * A list as JSON. Of a long one no more than a piece is in memory, and what cannot be written is found before the first piece
 * is given.
 * @throws AppError tooCostly
 */
export function writeList(entries: readonly MakeEntry[], meta: object): Text {
  const [begin, end] = ['{"data":[', `],"meta":${JSON.stringify(meta)}}`];
  const first = writePiece(entries, 0);
  if (first.next === entries.length) return begin + first.json + end;
  for (const make of entries.slice(first.next)) make();
  return {
    *[Symbol.iterator]() {
      yield begin + first.json;
      for (let start = first.next; start < entries.length;) {
        const { json, next } = writePiece(entries, start);
        yield `,${json}`;
        start = next;
      }
      yield end;
    },
  };
}

/**
 * Entries from an index on, until they are long enough; and where the next piece begins. JSON is made of one, two, four…
 * entries at once, as long as these are short: that is faster than one by one.
 */
function writePiece(entries: readonly MakeEntry[], start: number): { readonly json: string; readonly next: number } {
  let json = '';
  let next = start;
  for (let size = 1; next < entries.length && json.length < PIECE; size = json.length < PIECE / 2 ? 2 * size : 1) {
    const made = entries.slice(next, next + size).map((make) => make());
    json += (next === start ? '' : ',') + JSON.stringify(made).slice(1, -1);
    next += made.length;
  }
  return { json, next };
}
