import type { Db, Document } from 'mongodb';
import { sequence } from './sequence.js';
import type { Command } from './gate.js';

/** The lists of the commands that change several documents, each an update, a deletion or a document to insert. */
const lists: Readonly<Record<string, string>> = {
  insert: 'documents',
  update: 'updates',
  delete: 'deletes',
  bulkWrite: 'ops',
};

/**
 * How many parts a command has that a crash of the database or of the connection separates: documents that it changes.
 */
export function partsIn({ name, body }: Command, reply: unknown): number {
  if (name === 'aggregate') return mergeOf(body) === undefined ? 1 : UNCOUNTED;
  const list = lists[name];
  if (list === undefined) return 1;
  const { length } = sequence(body[list]);
  const { n, nModified = n } = numbersOf(reply);
  return length > 1 ? length : Math.max(1, nModified ?? 1);
}

/** A reply to `$merge` does not count: at least the first of several documents is a part. */
const UNCOUNTED = 2;

const mergeOf = ({ pipeline }: Document): unknown => (pipeline as readonly Document[]).at(-1)?.['$merge'];

const numbersOf = (reply: unknown): { readonly n?: number; readonly nModified?: number } => {
  const { toObject } = (reply ?? {}) as { toObject?: () => object };
  return (toObject === undefined ? reply : toObject.call(reply)) ?? {};
};

/** The command as it is if its process dies after this many parts; undefined if it has none. */
export async function firstParts(
  db: Db,
  { name, collection, body }: Command,
  parts: number,
): Promise<Document | undefined> {
  if (name === 'aggregate') {
    const stages = body['pipeline'] as readonly Document[];
    return { ...body, pipeline: [...stages.slice(0, -1), { $limit: parts }, ...stages.slice(-1)] };
  }
  const list = lists[name];
  if (list === undefined) return undefined;
  const [first, ...rest] = sequence(body[list]);
  if (name === 'insert' || rest.length > 0) return { ...body, [list]: [first, ...rest].slice(0, parts) };
  const { q, ...change } = first ?? {};
  const found = await db
    .collection(collection)
    .find(q as Document, { projection: { _id: 1 }, limit: parts })
    .toArray();
  return { ...body, [list]: [{ ...change, q: { $and: [q, { _id: { $in: found.map(({ _id }) => _id) } }] } }] };
}
