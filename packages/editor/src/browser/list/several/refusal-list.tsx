import { Link } from 'wouter';
import { formAddress, type Entry } from '../../api/entries.js';
import { useTexts } from '../../language/language.js';
import type { RefusedEntry } from '../../model/lists/bulk.js';
import { placesOf } from '../issue-places.js';
import type { Content, ContentType } from '../../model/schema.js';
import { linkOf } from '../../model/values.js';

interface Props {
  readonly content: Content;
  readonly type: ContentType;
  /** Their forms show what has to be corrected to publish them. */
  readonly isPublication: boolean;
  readonly refused: readonly RefusedEntry<Entry>[];
}

/** Why entries were not written; each leads to its form. */
export function RefusalList({ content, type, isPublication, refused }: Props) {
  const texts = useTexts();
  return (
    <ul className="named">
      {refused.slice(0, MOST_ENTRIES).map(({ entry, issues }) => (
        <li key={entry?.id ?? ''}>
          {entry !== undefined && (
            <Link href={formAddress(type, entry.id) + (isPublication ? '?check' : '')}>
              <bdi>{linkOf(content, [type.uid], { ...entry }).title}</bdi>
            </Link>
          )}
          {issues.length > MOST_NAMED ? (
            <p className="issue">{texts.refusals.several(issues.length)}</p>
          ) : (
            issues.map(({ path, message }) => (
              <p key={`${path} ${message}`} className="issue">
                {path !== '' && `${placesOf(content, type, undefined, path).join(' › ')}: `}
                {message}
              </p>
            ))
          )}
        </li>
      ))}
      {refused.length > MOST_ENTRIES && <li>{texts.bulk.more(refused.length - MOST_ENTRIES)}</li>}
    </ul>
  );
}

/** The reasons of one entry that are shown: its form shows them all. */
const MOST_NAMED = 5;
/** The entries that are named where there may be many. */
export const MOST_ENTRIES = 100;
