import { useTexts } from '../../language/language.js';
import { differenceOf } from './difference.js';

/** Says what becomes of the marked words: they go, they are new, or they are only in this one. */
export type Mark = 'del' | 'ins' | 'mark';

interface Props {
  readonly text: string;
  /** What it is compared with. */
  readonly other: string;
  readonly mark: Mark;
}

/** A text in which the words are marked that another version does not have. */
export function Marked({ text, other, mark: Element }: Props) {
  const { empty } = useTexts().common;
  if (text === '') return <span className="quiet-text">{empty}</span>;
  return differenceOf(text, other).before.map((piece, index) =>
    piece.isOwn ? <Element key={index}>{piece.text}</Element> : <span key={index}>{piece.text}</span>,
  );
}
