import type { Document } from 'mongodb';
import type { Write } from '../../../query/mutation.js';
import type { PrimaryWrite } from '../execute-write.js';

/** What is decided about a batch: all of it is done, or nothing. */
export type Decision = 'done' | 'undone';

/**
 * When the primary write of a step is executed. What can be refused of it is executed before the decision, and can be undone. If it could not
 * be undone, because it releases a unique value that others may take, it is executed last: if it is done, so is the batch. What cannot be
 * refused is executed after the decision, usually all of it.
 */
export type Turn = 'undoable' | 'last' | 'after';

/** One operation of a batch as recorded in its intent. */
export interface BatchStep {
  readonly primary: PrimaryWrite;
  /** Writes to other entries, which are executed after the decision. */
  readonly dependants: readonly Write[];
  readonly turn: Turn;
  /** The attributes that are written before the decision; undefined, in records of former versions: all. */
  readonly early?: readonly string[] | undefined;
  /** The entry as it is stored before its update. */
  readonly before?: Document | undefined;
  /** Remove the references to a new entry, if the batch is undone. */
  readonly references: readonly Write[];
}

/** In marks of entries, instead of a relation: the batch that has changed the entry. */
export const BATCH_MARK = '_batch';

/** All writes of a step, as those of an intent of its own. */
export const writesOf = ({ primary, dependants }: Pick<BatchStep, 'primary' | 'dependants'>): readonly Write[] => [
  primary,
  ...dependants,
];
