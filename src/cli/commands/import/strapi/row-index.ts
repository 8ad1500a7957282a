import type { Data } from '../../../../config/record.js';
import { isLocalized } from '../../../../content-types/model/localized.js';
import type { ContentType } from '../../../../content-types/model/types.js';
import { createIdSet } from '../../../../mongo/maintenance/check/id-set.js';

/** The rows of one document and locale, which are one entry here. */
export interface EntryRows {
  readonly locale: string | undefined;
  /** The ids of the rows; of a type without drafts its only row is the published one. */
  published?: number;
  draft?: number;
  /** The number of the entry; undefined until the entries are numbered. */
  id?: number;
}

/** An entry that is stored already. */
export interface StoredEntry {
  readonly id: number;
  readonly documentId: unknown;
  readonly locale: unknown;
}

/** An entry of the archive with its number. */
export interface NumberedEntry {
  readonly id: number;
  readonly locale: string | undefined;
  /** It was never published, or is not any more. */
  readonly isDraft: boolean;
}

/** The rows of one type. */
interface TypeRows {
  readonly type: ContentType;
  readonly byDocument: Map<string, EntryRows[]>;
  readonly byRow: Map<number, EntryRows>;
}

/**
 * Which rows of an archive of Strapi 5 are which entries. Types that have neither drafts nor locales are not in it:
 * each of their rows is an entry with its id.
 */
export function createRowIndex() {
  const types = new Map<string, TypeRows>();
  const rowsOf = (type: ContentType): TypeRows => {
    const rows = types.get(type.uid) ?? { type, byDocument: new Map(), byRow: new Map() };
    types.set(type.uid, rows);
    return rows;
  };
  return {
    /** Notes a row. @returns false if another row has its place: that of its document, locale and state */
    add: (type: ContentType, id: number, { documentId, locale, publishedAt }: Data): boolean => {
      const { byDocument, byRow } = rowsOf(type);
      const entries = byDocument.get(String(documentId)) ?? [];
      byDocument.set(String(documentId), entries);
      const code = isLocalized(type) && typeof locale === 'string' ? locale : undefined;
      const found = entries.find((one) => one.locale === code);
      const entry: EntryRows = found ?? { locale: code };
      if (found === undefined) entries.push(entry);
      const state = type.draftAndPublish && (publishedAt ?? null) === null ? 'draft' : 'published';
      if (entry[state] !== undefined) return false;
      entry[state] = id;
      byRow.set(id, entry);
      return true;
    },
    /** The types whose rows were added. */
    types: (): readonly ContentType[] => [...types.values()].map(({ type }) => type),
    /**
     * Gives the entries of a type their numbers: an entry that is stored keeps its own. A new one gets the id of its
     * published row, which is the one that readers know, or of its draft, or a free one.
     * @param stored the entries that are stored already
     */
    number: async (type: ContentType, stored: AsyncIterable<StoredEntry>): Promise<readonly NumberedEntry[]> => {
      const { byDocument, byRow } = rowsOf(type);
      const taken = createIdSet();
      let highest = [...byRow.keys()].reduce((a, b) => Math.max(a, b), 0);
      for await (const { id, documentId, locale } of stored) {
        taken.add(id);
        highest = Math.max(highest, id);
        const entry = byDocument.get(String(documentId))?.find((one) => one.locale === (locale ?? undefined));
        if (entry !== undefined) entry.id = id;
      }
      return [...byDocument.values()].flat().map((entry) => {
        const row = entry.published ?? entry.draft ?? 0;
        entry.id ??= taken.add(row) ? row : (highest += 1);
        return { id: entry.id, locale: entry.locale, isDraft: entry.published === undefined };
      });
    },
    /** Whether rows of the type were added. */
    has: (type: string): boolean => types.has(type),
    /** The entry that has the row. */
    entryOf: (type: string, row: number): Readonly<EntryRows> | undefined => types.get(type)?.byRow.get(row),
    /** A row of each other locale of a document, in the order of the locales. */
    localizationsOf: (type: string, documentId: unknown, row: number): readonly number[] => {
      const entry = types.get(type)?.byRow.get(row);
      const entries = types.get(type)?.byDocument.get(String(documentId)) ?? [];
      const inOrder = entries.toSorted((a, b) => ((a.locale ?? '') < (b.locale ?? '') ? -1 : 1));
      return inOrder.flatMap((one) => (one === entry ? [] : [one.published ?? one.draft ?? 0]));
    },
  };
}

export type RowIndex = ReturnType<typeof createRowIndex>;
