import { Link } from 'wouter';
import { useTexts } from '../language/language.js';
import { lastList } from '../list/last-list.js';
import type { ContentType } from '../model/schema.js';
import { useTitle } from '../shell/use-title.js';

interface Props {
  readonly type: ContentType;
  readonly heading: string;
  readonly mayWrite: boolean;
  readonly isDirty: boolean;
}

/** The name of an entry, the way back to its list, and whether something is not saved yet. */
export function FormHeading({ type, heading, mayWrite, isDirty }: Props) {
  const texts = useTexts().form;
  useTitle(heading);
  return (
    <>
      {type.kind === 'collectionType' && (
        <nav className="way-back" aria-label={texts.wayBack}>
          <Link href={lastList(type)}>← {type.listName}</Link>
        </nav>
      )}
      <header className="title">
        <h1>{heading}</h1>
        <span className="quiet-text">{mayWrite ? isDirty && texts.unsaved : texts.readOnly}</span>
      </header>
    </>
  );
}
