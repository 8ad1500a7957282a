import type { ApplyOptions } from '../../../mongo/write/entry-writes.js';
import { both } from '../../../query/ast.js';

/** What a write asks again of the locked documents of its entry: of the entry, and of its working copy. */
export type Conditions = Pick<ApplyOptions, 'only' | 'onlyCopy'>;

/** All of these together. */
export const joined = (...conditions: readonly Conditions[]): Conditions =>
  conditions.reduce((all, { only, onlyCopy }) => ({
    only: both(all.only, only),
    onlyCopy: both(all.onlyCopy, onlyCopy),
  }));
