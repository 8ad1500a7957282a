import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { Link } from 'wouter';
import { formAddress, type Entry } from '../api/entries.js';
import { readReferrers } from '../api/uses/referrers.js';
import { useSession } from '../api/session.js';
import { useTexts } from '../language/language.js';
import type { Content, ContentType } from '../model/schema.js';
import { linkOf } from '../model/values.js';
import { ConfirmDeletion } from '../shell/deletion/confirm-deletion.js';
import { Dialog } from '../shell/dialog.js';
import { checkOf, Unchecked } from '../shell/deletion/unchecked.js';

interface Props {
  readonly content: Content;
  readonly type: ContentType;
  readonly entry: Entry;
}

const LIMIT = 20;

/** The entries that refer to this one. */
function useReferrers({ content, type, entry }: Props) {
  const { api } = useSession();
  return useQuery({
    queryKey: ['list', 'referrers', type.path, entry.id, entry.attributes['updatedAt']],
    gcTime: 0,
    // One more shows that there are more.
    queryFn: () => readReferrers(api, content, type, entry, LIMIT + 1),
  });
}

/** A dialog with the entries that refer to this one. */
export function Referrers({ onClose, ...props }: Props & { readonly onClose: () => void }) {
  const texts = useTexts().referrers;
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <ReferrerList content={props.content} referrers={useReferrers(props)} />
    </Dialog>
  );
}

type QuestionProps = Props & Omit<ComponentProps<typeof ConfirmDeletion>, 'check' | 'action'>;

/** Asks before an entry is deleted, and names those that refer to it. */
export function ConfirmEntryDeletion({ content, type, entry, children, ...question }: QuestionProps) {
  const texts = useTexts().referrers;
  const referrers = useReferrers({ content, type, entry });
  return (
    <ConfirmDeletion {...question} check={checkOf(referrers)}>
      {children}
      <p className="hint">{texts.title}</p>
      <ReferrerList content={content} referrers={referrers} />
    </ConfirmDeletion>
  );
}

interface ListProps {
  readonly content: Content;
  readonly referrers: ReturnType<typeof useReferrers>;
}

function ReferrerList({ content, referrers: { data, error, refetch } }: ListProps) {
  const texts = useTexts();
  if (error !== null) return <Unchecked error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <p>{texts.common.loading}</p>;
  if (data.length === 0) return <p>{texts.referrers.none}</p>;
  return data.map(({ type, steps, entries }) => (
    <section key={`${type.uid} ${steps?.join('.')}`}>
      <h3>
        {type.entryName} <span className="tag">{steps?.join(' › ') ?? texts.referrers.inText}</span>
      </h3>
      <ul>
        {entries.slice(0, LIMIT).map((entry) => {
          const { title, isDraft } = linkOf(content, [type.uid], { ...entry });
          return (
            <li key={entry.id}>
              <Link href={formAddress(type, entry.id)}>{title}</Link>
              {isDraft === true && <span className="tag">{texts.common.draft}</span>}
            </li>
          );
        })}
      </ul>
      {entries.length > LIMIT && <p className="hint">{texts.referrers.more}</p>}
    </section>
  ));
}
