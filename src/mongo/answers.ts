import { LRUCache } from 'lru-cache';
import type { Db } from 'mongodb';
import type { ScalarAttribute } from '../content-types/types.js';
import { StartError } from '../errors/start-error.js';
import type { Query } from '../query/ast.js';
import { describeSort } from '../query/cursor.js';
import { typesOfQuery } from '../query/types-of-query.js';
import type { Shape } from './assemble.js';
import type { Plan } from './compile/plan.js';
import type { Page } from './page.js';
import type { Versions } from './versions.js';

/** How a transport writes a list down. */
export interface Form {
  /** Tells the forms apart. */
  readonly name: string;
  readonly shape: Shape;
  readonly write: (page: Page, query: Query) => string;
}

/** Lists as texts, remembered as long as nothing changes that they were read from. */
export interface Answers {
  of(query: Query, plan: Plan, form: Form, make: () => Promise<string>): Promise<string>;
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
export function rememberAnswers({ readPreference }: Db, bytes: number, versions: Versions): Answers {
  if (readPreference !== undefined && readPreference.mode !== 'primary') {
    throw new StartError('RESPONSE_CACHE needs reads from the primary: take readPreference out of MONGODB_URI');
  }
  const answers = new LRUCache<string, { readonly version: string; readonly text: string }>({
    maxSize: bytes,
    // A character of a text takes two bytes at most.
    sizeCalculation: ({ text }, key) => 2 * (text.length + key.length),
    ttl: OLDEST,
  });
  return {
    of: async (query, plan, form, make) => {
      const key = keyOf(query, plan, form);
      const version = await versions.read([...typesOfQuery(query)].map(({ uid }) => uid));
      const known = answers.get(key);
      if (known?.version === version) return known.text;
      const text = await make();
      answers.set(key, { version, text });
      return text;
    },
  };
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
