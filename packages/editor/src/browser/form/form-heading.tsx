import type { ReactNode } from 'react';
import { lastList } from '../list/last-list.js';
import { WayBack } from '../list/way-back.js';
import type { ContentType } from '../model/schema.js';
import { useTitle } from '../shell/use-title.js';

interface Props {
  readonly type: ContentType;
  readonly heading: string;
  /** Whether readers see it, and its language. */
  readonly tags?: ReactNode;
  /** Whether it is saved, or may only be read. */
  readonly note?: ReactNode;
  /** What can be done with it. */
  readonly bar?: ReactNode;
  /** What is said below it. */
  readonly children?: ReactNode;
}

/** The name of an entry, its state, what can be done with it, and the way back to its list. */
export function FormHeading({ type, heading, tags, note, bar, children }: Props) {
  useTitle(heading);
  return (
    <>
      {type.kind === 'collectionType' && <WayBack to={lastList(type)} list={type.listName} />}
      <header className="title">
        <h1 dir="auto" title={heading}>
          {heading}
        </h1>
        {tags}
        <span className="quiet-text">{note}</span>
        {bar}
      </header>
      {children}
    </>
  );
}
