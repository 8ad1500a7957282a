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
  const isNear = paragraphs.map((_, index) =>
    isChanged.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(Boolean),
  );
  const shown: (Piece | Fold)[] = [];
  for (let index = 0; index < paragraphs.length;) {
    const next = isNear.findIndex((near, at) => at >= index && near !== isNear[index]);
    const run = paragraphs.slice(index, next < 0 ? undefined : next);
    if (isNear[index] === true || run.length < FEWEST) shown.push(...run.flat());
    else shown.push({ paragraphs: run.length });
    index += run.length;
  }
  return shown;
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
