import { Link } from 'wouter';
import { formAddress, type Entry } from '../api/entries.js';
import { useTexts } from '../language/language.js';
import type { BulkAction, Refusal } from '../model/lists/bulk.js';
import { placesOf } from './issue-places.js';
import type { Content, ContentType } from '../model/schema.js';
import { linkOf } from '../model/values.js';

interface Props {
  readonly content: Content;
  readonly type: ContentType;
  readonly action: BulkAction;
  readonly refusals: readonly Refusal[];
  readonly sent: readonly Entry[];
}

/** Why a batch was refused, by entries; each leads to its form, which shows what has to be corrected to publish it. */
export function RefusalList({ content, type, action, refusals, sent }: Props) {
  const { several } = useTexts().refusals;
  const indexes = [...new Set(refusals.map(({ index }) => index))];
  return (
    <ul className="named">
      {indexes.map((index) => {
        const entry = index === undefined ? undefined : sent[index];
        const own = refusals.filter((refusal) => refusal.index === index);
        const check = action === 'publish' ? '?check' : '';
        return (
          <li key={index ?? ''}>
            {entry !== undefined && (
              <Link href={formAddress(type, entry.id) + check}>{linkOf(content, [type.uid], { ...entry }).title}</Link>
            )}
            {own.length > MOST_NAMED ? (
              <p className="issue">{several(own.length)}</p>
            ) : (
              own.map(({ issue }) => (
                <p key={`${issue.path} ${issue.message}`} className="issue">
                  {issue.path !== '' && `${placesOf(content, type, undefined, issue.path).join(' › ')}: `}
                  {issue.message}
                </p>
              ))
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** The reasons of one entry that are shown: its form shows them all. */
const MOST_NAMED = 5;
