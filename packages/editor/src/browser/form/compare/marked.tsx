import { useTexts } from '../../language/language.js';
import { foldedOf } from './fold.js';

/** Says what becomes of the marked words: they go, they are new, or they are only in this one. */
export type Mark = 'del' | 'ins' | 'mark';

interface Props {
  readonly text: string;
  /** What it is compared with. */
  readonly other: string;
  readonly mark: Mark;
}

/** A text in which the words are marked that another version does not have, with the paragraphs around these. */
export function Marked({ text, other, mark: Element }: Props) {
  const {
    common: { empty },
    conflict,
  } = useTexts();
  if (text === '') return <span className="quiet-text">{empty}</span>;
  return foldedOf(text, other).map((piece, index) => {
    if ('paragraphs' in piece)
      return (
        <span key={index} className="fold">
          {conflict.asBefore(piece.paragraphs)}
        </span>
      );
    return piece.isOwn && piece.text !== '' ? (
      <Element key={index}>{piece.text}</Element>
    ) : (
      <span key={index}>{piece.text}</span>
    );
  });
}
