import type { Entry, EntryRead } from '../api/entries.js';
import type { ContentType } from '../model/schema.js';

/** Where a new entry comes from: the locale, and the entry that it is a localization of. */
export interface Origin {
  readonly locale: string | undefined;
  readonly source: number | undefined;
  /** The locale of that entry, if the type is a single type. */
  readonly from: string | undefined;
  /** The entry that a new one begins as a copy of. */
  readonly copied: number | undefined;
  /** Tells a new entry from another one that is not saved yet; absent: there was none. */
  readonly begun?: string | undefined;
}

/** What is read for a form: an entry, or that of which a new one is a localization or a copy. */
export type FormRead = EntryRead & { readonly source?: Entry | undefined; readonly copied?: Entry | undefined };

/** Whether the user may save the form of what was read. */
export function mayStore({ kind, actions }: ContentType, { entry, source }: FormRead): boolean {
  const creation = kind === 'singleType' ? 'update' : 'create';
  const localization = source === undefined ? creation : 'createLocalization';
  return actions.includes(entry === undefined ? localization : 'update');
}
