import type { Document } from 'mongodb';
import type { Mark } from '../../../query/mutation.js';

/** A link without a rank is older than all with one. */
export const MIN_RANK = Number.MIN_SAFE_INTEGER;

/** Marks that an entry keeps: the last ones, so that it does not grow. */
const LIMIT = 32;

/** The new value of `_marks`, as an operator of a plain update and as an expression. */
export const pushMarks = (marks: readonly Mark[]): Document => ({ _marks: { $each: marks, $slice: -LIMIT } });

export const appendMarks = (marks: readonly Mark[]): Document => ({
  _marks: { $slice: [{ $concatArrays: [{ $ifNull: ['$_marks', []] }, { $literal: marks }] }, -LIMIT] },
});

/**
 * In an entry, the number of a batch that has written it, until it is decided whether the batch is done. It is negative if the batch writes
 * something after that, and stays until then.
 */
export const PENDING = '_pending';

/**
 * An update that the database refuses for an entry with such a number, because it is not a list; nothing
 * of it changes in others. A filter would have to be planned, which takes a fifth of the time of an update by id.
 */
export function refusedIfPending(update: Document | readonly Document[]): Document | readonly Document[] {
  if (isPipeline(update)) {
    const first = { $ifNull: [{ $first: `$${PENDING}` }, '$$REMOVE'] };
    return [{ $set: { [PENDING]: first } }, ...update];
  }
  return Object.keys(update).length === 0 ? update : { $pop: { [PENDING]: 1 }, ...update };
}

const isPipeline = (update: Document | readonly Document[]): update is readonly Document[] => Array.isArray(update);

/** The errors of these: of $pop, and of $first. */
const PENDING_ERRORS = new Set<unknown>([14, 28_689]);

/** Whether an update may have been refused for this reason. */
export const mayBePending = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && PENDING_ERRORS.has(error.code);

/** A link of an entry: its attribute and its target, as marks name it. */
type Link = Required<Pick<Mark, 'a' | 'r'>>;

/** A filter: nothing was decided about this link after this number, not counting positions if they are `ignored`. */
export const notDecidedAfter = ({ a, r }: Link, rank: number, ignored: boolean): Document => ({
  _marks: { $not: { $elemMatch: { a, n: { $gt: rank }, r: { $in: [r, null] }, ...(ignored && { p: { $ne: r } }) } } },
});

/** An expression: the highest of these numbers and of those of the decisions about this link that match. */
export function latestDecision({ a, r }: Link, rank: unknown, ...matching: readonly Document[]): Document {
  const isAbout = { $in: [{ $ifNull: ['$$mark.r', null] }, [{ $literal: r }, null]] };
  const cond = { $and: [{ $eq: ['$$mark.a', { $literal: a }] }, isAbout, ...matching] };
  const about = { $filter: { input: { $ifNull: ['$_marks', []] }, as: 'mark', cond } };
  return { $max: { $concatArrays: [[rank], { $map: { input: about, as: 'mark', in: '$$mark.n' } }] } };
}

/** Of decisions: they did not just place a link in the order of this target. A position is as old as the link beside which it is. */
export const isNoPosition = ({ r }: Pick<Link, 'r'>): Document => ({ $ne: ['$$mark.p', { $literal: r }] });
