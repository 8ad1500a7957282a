import type { Shape } from '../mongo/read/assemble.js';

/** Entries as plain records, relations in them as records too. */
export const bare: Shape = {
  entry: (id, attributes) => ({ id, ...attributes }),
  one: (entry) => entry,
  many: (entries) => entries,
  get morph() {
    return bare;
  },
};
