import type { ContentType } from '../../../content-types/model/types.js';
import type { StoringWrite } from '../../../mongo/compile/write/preview.js';
import type { Missing, Targets } from '../../../mongo/read/missing-targets.js';
import type { Filter } from '../../../query/ast.js';
import type { LazyEntry } from '../../../query/entry-presenter.js';
import type { StoredValue } from '../../../query/mutation.js';

/** The entries that earlier operations of a batch write, and that are not stored yet. */
export interface PlannedEntries {
  /** @throws AppError validation for a unique value that an earlier operation writes */
  add(write: StoringWrite): void;
  /** Names the entry that was added last by an id: in a dry run it has none. */
  nameLast(id: number): void;
  /** The values of an attribute. */
  values(type: ContentType, name: string): readonly (StoredValue | undefined)[];
  /** Does a new entry match a condition? */
  matches(type: ContentType, id: number, condition: Filter): Promise<boolean>;
  /** Removes an entry; it is as the response shows it. */
  remove(type: ContentType, id: number, entry: LazyEntry): void;
  /** The entry of an operation that removes it. */
  removed(type: ContentType, id: number): LazyEntry | undefined;
  /** Those that will not exist, of targets and those that do not exist yet. */
  missing(targets: Targets, stored: Missing): Missing;
}
