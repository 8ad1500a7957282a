import { diffWordsWithSpace } from 'diff';

/** A part of a text; `isOwn`: the other version does not have it. */
export interface Piece {
  readonly text: string;
  readonly isOwn: boolean;
}

/** Above this many characters together, to find single words would take seconds. */
const LONGEST = 200_000;

/**
 * Two versions of a text, word by word, with the words that only one of them has. Where the other one has words, a
 * piece of its own without words says so.
 */
export function differenceOf(before: string, after: string): Readonly<Record<'before' | 'after', readonly Piece[]>> {
  const changes =
    before.length + after.length > LONGEST ? undefined : diffWordsWithSpace(before, after, { timeout: LONGEST_MS });
  if (changes === undefined) {
    const isOwn = before !== after;
    return { before: [{ text: before, isOwn }], after: [{ text: after, isOwn }] };
  }
  const piecesOf = (other: 'added' | 'removed'): readonly Piece[] =>
    changes.map((change) => ({ text: change[other] ? '' : change.value, isOwn: change.added || change.removed }));
  return { before: piecesOf('added'), after: piecesOf('removed') };
}

/** Then the texts have next to nothing in common. */
const LONGEST_MS = 500;
