import type { Api } from '../api/api.js';
import { readEntry, type Entry, type EntryRead } from '../api/entries.js';
import type { Content, ContentType } from '../model/schema.js';
import { valuesOf } from '../model/values.js';
import type { StoredEntry } from './undo/undo-publication.js';

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

interface Place {
  readonly content: Content;
  readonly type: ContentType;
  readonly query: object;
}

/** Reads an entry with its values as a form has them; there are none where it has no entry. */
export async function readWithValues(
  api: Api,
  { content, type, query }: Place,
  id: number | undefined,
): Promise<StoredEntry> {
  const read = await readEntry(api, type, id, query);
  return { ...read, base: valuesOf(content, type, read.entry?.attributes ?? {}) };
}
