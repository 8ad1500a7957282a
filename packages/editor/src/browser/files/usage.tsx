import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { formAddress } from '../api/entries.js';
import { readUsage } from '../api/files.js';
import { useSession } from '../api/session.js';
import { useTexts } from '../language/language.js';
import { isListed, type Content } from '../model/schema.js';
import type { FileRecord } from '../model/values.js';
import { Failure } from '../shell/notices.js';

interface Props {
  readonly content: Content;
  readonly files: readonly FileRecord[];
}

/** The entries that use one of these files, by type. */
export function Usage({ content, files }: Props) {
  const texts = useTexts();
  const { api } = useSession();
  const { data, error } = useQuery({
    queryKey: ['files', 'usage', files.map(({ id }) => id)],
    queryFn: () => readUsage(api, content, files),
    gcTime: 0,
  });
  return (
    <section className="usage" aria-label={texts.files.usage}>
      <h3>{texts.files.usedBy}</h3>
      {error !== null && <Failure error={error} />}
      {data === undefined && error === null && <p className="hint">{texts.common.loading}</p>}
      {data?.length === 0 && <p className="hint">{texts.files.unused}</p>}
      {data?.map(({ type, links, hasMore }) => (
        <ul key={type.uid}>
          {links.map(({ id, title, isDraft }) => (
            <li key={id}>
              {isListed(type) ? <Link href={formAddress(type, id)}>{title}</Link> : title}
              <span className="tag">{type.entryName}</span>
              {isDraft === true && <span className="tag">{texts.common.draft}</span>}
            </li>
          ))}
          {hasMore && <li className="hint">{texts.referrers.more}</li>}
        </ul>
      ))}
    </section>
  );
}
