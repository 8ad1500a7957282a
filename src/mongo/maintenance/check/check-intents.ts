import type { Db } from 'mongodb';
import type { Violation } from './violation.js';

const collection = '_intents';
/** Milliseconds; younger intents may be in progress. */
const EXPIRY_MS = 60_000;

interface Left {
  readonly _id: string;
  readonly at: Date;
  readonly done?: true;
  readonly failed?: { readonly at: Date; readonly message: string; readonly tries: number };
}

/** No write to several entries was left half done. */
export async function checkIntents(db: Db): Promise<readonly Violation[]> {
  const before = new Date(Date.now() - EXPIRY_MS);
  const left = await db
    .collection<Left>(collection)
    .find({ $or: [{ at: { $lte: before }, done: { $exists: false } }, { failed: { $exists: true } }] })
    .toArray();
  return left.map(({ _id, at, failed }) => ({ collection, id: _id, path: '', rule: ruleOf(at, failed) }));
}

const ruleOf = (at: Date, failed: Left['failed']): string =>
  failed === undefined
    ? `was left unfinished at ${at.toISOString()}: a start of the service finishes it`
    : `cannot be finished, tried ${failed.tries} times, last at ${failed.at.toISOString()}: ${failed.message}`;
