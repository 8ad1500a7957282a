import type { Changes } from '../../src/query/mutation.js';

/** A write that changes nothing; tests add what theirs changes. */
export const noChanges: Changes = {
  values: new Map(),
  merges: new Map(),
  links: [],
  references: { paths: [], remove: [], add: [] },
  uniqueKeys: { paths: [], remove: [], add: [] },
};
