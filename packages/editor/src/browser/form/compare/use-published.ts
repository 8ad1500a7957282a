import { useQuery } from '@tanstack/react-query';
import { readEntry, withStatus, type EntryRead } from '../../api/entries.js';
import { useSession } from '../../api/session.js';
import type { Content, ContentType } from '../../model/schema.js';
import { valuesOf, type Values } from '../../model/values.js';

interface Shown {
  readonly content: Content;
  readonly type: ContentType;
  readonly id: number | undefined;
  readonly query: object;
  /** The latest state of the entry. */
  readonly stored: EntryRead;
}

/**
 * The values that readers see of an entry, while others are prepared; undefined: they are the same, or not read yet.
 */
export function usePublished({ content, type, id, query, stored }: Shown): Values | undefined {
  const { api } = useSession();
  const { entry, etag } = stored;
  const { data } = useQuery({
    queryKey: ['entry', type.path, 'published', id, etag],
    enabled: entry?.changes !== undefined,
    queryFn: () => readEntry(api, type, id, withStatus(query, undefined)),
  });
  if (entry?.changes === undefined || data?.entry === undefined) return undefined;
  return valuesOf(content, type, data.entry.attributes);
}
