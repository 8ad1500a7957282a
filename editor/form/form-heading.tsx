import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useTexts } from '../language/language.js';
import { lastList } from '../list/last-list.js';
import type { ContentType } from '../model/schema.js';
import { useTitle } from '../shell/use-title.js';

interface Props {
  readonly type: ContentType;
  readonly heading: string;
  /** Whether it is saved, or may only be read. */
  readonly children?: ReactNode;
}

/** The name of an entry, its state, and the way back to its list. */
export function FormHeading({ type, heading, children }: Props) {
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
        <span className="quiet-text">{children}</span>
      </header>
    </>
  );
}
