import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { formAddress, readPage } from '../api/entries.js';
import { useSession } from '../api/session.js';
import { referenceQuery, referencesTo, stepsOf } from '../model/references.js';
import { isListed, type Content, type ContentType } from '../model/schema.js';
import { linkOf } from '../model/values.js';
import { Dialog } from '../shell/dialog.js';
import { useTexts } from '../language/language.js';
import { Failure } from '../shell/notices.js';

interface Props {
  readonly content: Content;
  readonly type: ContentType;
  readonly id: number;
}

const LIMIT = 20;

/** A dialog with the entries that refer to this one. */
export function Referrers({ onClose, ...props }: Props & { readonly onClose: () => void }) {
  const texts = useTexts().referrers;
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <ReferrerList {...props} />
    </Dialog>
  );
}

/** The entries that refer to this one. */
export function ReferrerList({ content, type, id }: Props) {
  const texts = useTexts();
  const { api } = useSession();
  const { data, error } = useQuery({
    queryKey: ['list', 'referrers', type.path, id],
    gcTime: 0,
    queryFn: () =>
      Promise.all(
        referencesTo(content, type.uid).map(async (reference) => ({
          reference,
          // One more shows that there are more.
          page: await readPage(api, reference.type, referenceQuery(content, reference, id, LIMIT + 1)),
        })),
      ),
  });
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <p>{texts.common.loading}</p>;
  const used = data.filter(({ page }) => page.entries.length > 0);
  if (used.length === 0) return <p>{texts.referrers.none}</p>;
  return used.map(({ reference, reference: { type: from, path }, page: { entries } }) => (
    <section key={`${from.uid} ${path.join('.')}`}>
      <h3>
        {from.entryName} <span className="tag">{stepsOf(content, reference).join(' › ')}</span>
      </h3>
      <ul>
        {entries.slice(0, LIMIT).map((entry) => {
          const { title, isDraft } = linkOf(content, [from.uid], { ...entry });
          return (
            <li key={entry.id}>
              {isListed(from) ? <Link href={formAddress(from, entry.id)}>{title}</Link> : title}
              {isDraft === true && <span className="tag">{texts.common.draft}</span>}
            </li>
          );
        })}
      </ul>
      {entries.length > LIMIT && <p className="hint">{texts.referrers.more}</p>}
    </section>
  ));
}
