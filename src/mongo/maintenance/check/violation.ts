import type { Write } from '../../../query/mutation.js';

/** A path in an entry and the rule that it violates. */
export interface Finding {
  /** With the ids of components in it, as references name it: `blocks.14.file`; empty for the entry as a whole. */
  readonly path: string;
  readonly rule: string;
  /** The write that resolves a contradiction between entries. */
  readonly repair?: Write;
}

/** A violation of a storage rule by an entry or its collection. */
export interface Violation extends Finding {
  readonly collection: string;
  /** The entry's `_id` as a string; empty for the whole collection. */
  readonly id: string;
}

/** A violation as one line: `articles 12 blocks.14.file: refers to plugin::upload.file 7, which does not exist`. */
export const describeViolation = ({ collection, id, path, rule }: Violation): string =>
  `${[collection, id, path].filter((part) => part !== '').join(' ')}: ${rule}`;
