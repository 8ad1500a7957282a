/** The values of an entry or component, by attribute. */
export type EntryValues = Record<string, unknown>;

/** Another localization of an entry. */
export interface AvailableLocale {
  readonly id: number;
  readonly locale: string;
}

/** How a transport presents entries, so that a response is built once, in its final form. */
export interface EntryPresenter {
  /** Distinguishes the forms of entries, e.g. in the keys of cached responses. */
  readonly name: string;
  /** Entries have a list of their other localizations. */
  readonly locales?: true;
  /** An entry of a content type; without an id, a summary of several. */
  readonly entry: (
    id: number | undefined,
    attributes: EntryValues,
    availableLocales?: readonly AvailableLocale[],
  ) => unknown;
  readonly one: (entry: unknown) => unknown;
  readonly many: (entries: readonly unknown[]) => unknown;
  /** Presents the targets of morph relations. */
  readonly morph: EntryPresenter;
  /** What is shown of an entry that leads to the one above it by a morph relation; absent: the same as elsewhere. */
  readonly morphed?: (entry: unknown) => unknown;
  /**
   * Targets of a morph relation to one have their type, as those of a relation to many always do; an empty relation to
   * many is an empty list.
   */
  readonly typed?: true;
  /** A field of several files without any is an empty list; otherwise it is null, as in Strapi v4. */
  readonly emptyLists?: true;
}

/** An entry that was read, built again by each call. @throws AppError tooCostly */
export type LazyEntry = (presenter: EntryPresenter) => unknown;

/** Entries as plain records, related entries too. */
export const plainEntry: EntryPresenter = {
  name: 'plain',
  entry: (id, attributes) => ({ id, ...attributes }),
  one: (entry) => entry,
  many: (entries) => entries,
  get morph() {
    return plainEntry;
  },
};
