import type { ReactNode } from 'react';
import { lastList } from '../list/last-list.js';
import { WayBack } from '../list/way-back.js';
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
  useTitle(heading);
  return (
    <>
      {type.kind === 'collectionType' && <WayBack to={lastList(type)} list={type.listName} />}
      <header className="title">
        <h1 dir="auto">{heading}</h1>
        <span className="quiet-text">{children}</span>
      </header>
    </>
  );
}
