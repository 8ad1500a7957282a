import { LRUCache } from 'lru-cache';
import type { Db } from 'mongodb';
import type { ScalarAttribute } from '../../content-types/model/types.js';
import { StartError } from '../../errors/start-error.js';
import type { Query } from '../../query/ast.js';
import { describeSort } from '../../query/parse/cursor.js';
import { typesOfQuery } from '../../query/types-of-query.js';
import type { MakeEntry, Shape } from '../read/assemble.js';
import type { Plan } from '../compile/plan.js';
import type { Page } from '../read/page.js';
import { readsPrimary } from '../connection/reads-primary.js';
import type { Versions } from './versions.js';

/** What is sent: whole, or in pieces where it is long. These are made one by one, and anew each time they are gone through. */
export type Text = string | Iterable<string>;

/** How a transport writes a list down. */
export interface Form {
  /** Tells the forms apart. */
  readonly name: string;
  readonly shape: Shape;
  readonly write: (page: Page<MakeEntry>, query: Query) => Text;
}

/** Lists as texts, remembered as long as nothing changes that they were read from. */
export interface ResponseCache {
  of(query: Query, plan: Plan, form: Form, make: () => Promise<Text>): Promise<Text>;
}

/**
 * Milliseconds. Writes of the service are seen at once; what somebody changes in the database by hand, and what a write
 * has changed that failed before it was acknowledged, is seen after this time.
 */
const OLDEST = 60_000;

/**
 * Remembers answers in so many bytes; the least used go first. An answer is found by all that the database is asked for
 * it, rights and filters included: who asks the same may see the same. It counts while the versions of all types that it was
 * read from are those that were read before it was; they are read anew for each request.
 * @throws StartError where reads may come from a server that is behind: a new version could stand for what is old
 */
export function createResponseCache(db: Db, bytes: number, versions: Versions): ResponseCache {
  if (!readsPrimary(db)) {
    throw new StartError('RESPONSE_CACHE needs reads from the primary: take readPreference out of MONGODB_URI');
  }
  const answers = new LRUCache<string, { readonly version: string; readonly pieces: readonly string[] }>({
    maxSize: bytes,
    sizeCalculation: ({ pieces }, key) => sizeOf(key) + pieces.reduce((sum, piece) => sum + sizeOf(piece), 0),
    ttl: OLDEST,
  });
  return {
    of: async (query, plan, form, make) => {
      const key = keyOf(query, plan, form);
      const version = await versions.read([...typesOfQuery(query)].map(({ uid }) => uid));
      const known = answers.get(key);
      if (known?.version === version) return textOf(known.pieces);
      const text = await make();
      const pieces = gather(text, bytes);
      if (pieces === undefined) return text;
      answers.set(key, { version, pieces });
      return textOf(pieces);
    },
  };
}

/** A character takes two bytes at most. */
const sizeOf = (text: string): number => 2 * text.length;

const textOf = (pieces: readonly string[]): Text => (pieces.length === 1 ? (pieces[0] as string) : pieces);

/** All pieces of a text; undefined when they take more bytes. */
function gather(text: Text, bytes: number): readonly string[] | undefined {
  const pieces: string[] = [];
  let left = bytes;
  for (const piece of typeof text === 'string' ? [text] : text) {
    left -= sizeOf(piece);
    if (left < 0) return undefined;
    pieces.push(piece);
  }
  return pieces;
}

/** The whole plan, and what else of a query an answer tells. */
const keyOf = ({ pagination, sort }: Query, plan: Plan, { name }: Form): string =>
  JSON.stringify([name, pagination, describeSort(sort), plan], plain);

/** Values of different types stay different; an attribute is known by its name, in its place. */
function plain(this: Readonly<Record<string, unknown>>, key: string, value: unknown): unknown {
  const own = this[key];
  if (typeof own === 'bigint') return { bigint: String(own) };
  if (own instanceof Date) return { date: own.getTime() };
  if (own instanceof Map) return [...(own as ReadonlyMap<string, unknown>)];
  return isAttribute(value) ? { attribute: value.name } : value;
}

const isAttribute = (value: unknown): value is ScalarAttribute =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'scalar';
