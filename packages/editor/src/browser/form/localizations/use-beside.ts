import { useQuery } from '@tanstack/react-query';
import { readEntry, type Entry } from '../../api/entries.js';
import { useSession } from '../../api/session.js';
import type { Content, ContentType } from '../../model/schema.js';
import { valuesOf } from '../../model/values.js';
import type { Beside } from '../form-context.js';
import type { Localization } from './localizations.js';

interface Shown {
  readonly content: Content;
  readonly type: ContentType;
  readonly query: object;
  /** Undefined: none. */
  readonly chosen: Localization | undefined;
  /** One that is read already. */
  readonly source: Entry | undefined;
}

/** The localization that a form shows beside its own values. */
export function useBeside({ content, type, query, chosen, source }: Shown): Beside | undefined {
  const { api } = useSession();
  const { data } = useQuery({
    queryKey: ['entry', type.path, 'beside', chosen],
    enabled: chosen !== undefined && chosen.id !== source?.id,
    queryFn: () =>
      readEntry(api, type, chosen?.id, type.kind === 'singleType' ? { ...query, locale: chosen?.locale } : query),
  });
  const entry = chosen?.id === source?.id ? source : data?.entry;
  if (entry === undefined) return undefined;
  const code = String(entry.attributes['locale']);
  return {
    locale: code,
    label: content.locales.find((locale) => locale.code === code)?.name ?? code,
    values: valuesOf(content, type, entry.attributes),
  };
}
