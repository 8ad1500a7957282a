import type { Document } from 'mongodb';
import type { Mark } from '../../../query/mutation.js';

/** Marks that an entry keeps: the last ones, so that it does not grow. */
const LIMIT = 32;

/** What `_marks` becomes, as an operator of a plain update and as an expression. */
export const pushMarks = (marks: readonly Mark[]): Document => ({ _marks: { $each: marks, $slice: -LIMIT } });

export const appendMarks = (marks: readonly Mark[]): Document => ({
  _marks: { $slice: [{ $concatArrays: [{ $ifNull: ['$_marks', []] }, { $literal: marks }] }, -LIMIT] },
});

/** A link of an entry: its attribute and its target, as marks name it. */
type Link = Required<Pick<Mark, 'a' | 'r'>>;

/** A filter: nothing was decided about this link after this number. */
export const notDecidedAfter = ({ a, r }: Link, rank: number): Document => ({
  _marks: { $not: { $elemMatch: { a, n: { $gt: rank }, r: { $in: [r, null] } } } },
});

/** The same as an expression. */
export function isUndecidedAfter({ a, r }: Link, rank: unknown): Document {
  const isAbout = { $in: [{ $ifNull: ['$$mark.r', null] }, [{ $literal: r }, null]] };
  const cond = { $and: [{ $eq: ['$$mark.a', { $literal: a }] }, { $gt: ['$$mark.n', rank] }, isAbout] };
  return { $eq: [{ $filter: { input: { $ifNull: ['$_marks', []] }, as: 'mark', cond } }, []] };
}
