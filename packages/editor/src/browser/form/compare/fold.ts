import { differenceOf, type Piece } from './difference.js';

/** What stands in place of paragraphs that both versions of a text have. */
export interface Fold {
  readonly paragraphs: number;
}

/** Paragraphs before and after a changed one that are shown. */
const AROUND = 1;
/** Fewer are shown: a line about them would take as much room. */
const FEWEST = 3;

type Paragraph = readonly Piece[];

/** A text with the words that another one does not have, without the paragraphs that are far from what differs. */
export function foldedOf(text: string, other: string): readonly (Piece | Fold)[] {
  const { before } = differenceOf(text, other);
  if (!before.some(({ isOwn }) => isOwn)) return before;
  const paragraphs = paragraphsOf(before);
  const isChanged = paragraphs.map((paragraph) => paragraph.some(({ isOwn }) => isOwn));
  return runsOf(isChanged).flatMap(({ from, to, isShown }): readonly (Piece | Fold)[] =>
    isShown ? paragraphs.slice(from, to).flat() : [{ paragraphs: to - from }],
  );
}

/** Consecutive paragraphs that are shown, or left out together. */
interface Run {
  readonly from: number;
  readonly to: number;
  readonly isShown: boolean;
}

/** Which paragraphs are shown of those of which some have changed. */
export function runsOf(isChanged: readonly boolean[]): readonly Run[] {
  const isNear = isChanged.map((_, index) =>
    isChanged.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(Boolean),
  );
  const runs: Run[] = [];
  for (let from = 0; from < isNear.length; from = runs.at(-1)?.to ?? isNear.length) {
    const next = isNear.findIndex((near, at) => at >= from && near !== isNear[from]);
    const to = next < 0 ? isNear.length : next;
    runs.push({ from, to, isShown: isNear[from] === true || to - from < FEWEST });
  }
  return runs;
}

/** The pieces of each paragraph, which ends with its line breaks. */
function paragraphsOf(pieces: readonly Piece[]): readonly Paragraph[] {
  const paragraphs: Piece[][] = [[]];
  for (const { text, isOwn } of pieces) {
    const parts = text.split(/(?<=\n)(?=[^\n])/);
    for (const [index, part] of parts.entries()) {
      const last = paragraphs.at(-1)?.findLast((piece) => piece.text !== '');
      const isNew = index > 0 || (last?.text.endsWith('\n') === true && !part.startsWith('\n') && part !== '');
      if (isNew) paragraphs.push([]);
      paragraphs.at(-1)?.push({ text: part, isOwn });
    }
  }
  return paragraphs;
}
