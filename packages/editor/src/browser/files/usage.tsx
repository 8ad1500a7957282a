import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { formAddress } from '../api/entries.js';
import { readUsage } from '../api/files.js';
import { useSession } from '../api/session.js';
import { useTexts } from '../language/language.js';
import type { Content } from '../model/schema.js';
import type { FileRecord } from '../model/values.js';
import { Unchecked } from '../shell/deletion/unchecked.js';

interface Props {
  readonly content: Content;
  readonly files: readonly FileRecord[];
}

/** The entries that use one of these files. */
export function useUsage({ content, files }: Props) {
  const { api } = useSession();
  return useQuery({
    queryKey: ['files', 'usage', files.map(({ id }) => id)],
    queryFn: () => readUsage(api, content, files),
    gcTime: 0,
  });
}

/** The entries that use one of these files, by type. */
export function Usage({ usage: { data, error, refetch } }: { readonly usage: ReturnType<typeof useUsage> }) {
  const texts = useTexts();
  return (
    <section className="usage" aria-label={texts.files.usage}>
      <h3>{texts.files.usedBy}</h3>
      {error !== null && <Unchecked error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <p className="hint">{texts.common.loading}</p>}
      {data?.length === 0 && <p className="hint">{texts.files.unused}</p>}
      {data?.map(({ type, links, hasMore }) => (
        <ul key={type.uid}>
          {links.map(({ id, title, isDraft }) => (
            <li key={id}>
              <Link href={formAddress(type, id)}>{title}</Link>
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
