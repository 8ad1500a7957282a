import type { EntryPresenter } from '../query/entry-presenter.js';

/** Entries as plain records, related entries too. */
export const plainEntry: EntryPresenter = {
  entry: (id, attributes) => ({ id, ...attributes }),
  one: (entry) => entry,
  many: (entries) => entries,
  get morph() {
    return plainEntry;
  },
};
