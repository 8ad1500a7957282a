/** Bytes of the smallest plan, and how often a query is in its rewritten form, its plan and its identity: measured. */
const BYTES_OF_PLAN = 2500;
const FORMS_OF_QUERY = 4;

/** Bytes of objects beside what they contain, and of each thing that they contain. */
const BYTES_OF_OBJECT = 40;
const BYTES_OF_SLOT = 16;
/** Bytes of a text beside its characters, and of each character: of one that is not in Latin-1. */
const BYTES_OF_TEXT = 24;
const BYTES_OF_CHARACTER = 2;
/** Bytes of a set or a map, and of each thing in it. */
const BYTES_OF_COLLECTION = 200;
const BYTES_OF_MEMBER = 40;

/**
 * The bytes that a value holds in memory, roughly: for the sizes of caches. The definitions of content types and
 * attributes that it refers to are there anyway. What several parts share counts for each of them.
 */
export function heldBytes(value: unknown): number {
  if (typeof value === 'string') return BYTES_OF_TEXT + value.length * BYTES_OF_CHARACTER;
  if (typeof value !== 'object' || value === null || isDefinition(value)) return 0;
  if (value instanceof Set) return BYTES_OF_COLLECTION + heldByAll(value, BYTES_OF_MEMBER);
  if (value instanceof Map)
    return BYTES_OF_COLLECTION + heldByAll(value.keys(), BYTES_OF_MEMBER) + heldByAll(value.values(), 0);
  return BYTES_OF_OBJECT + heldByAll(Object.values(value), BYTES_OF_SLOT);
}

function heldByAll(values: Iterable<unknown>, bytesOfEach: number): number {
  let bytes = 0;
  for (const value of values) bytes += bytesOfEach + heldBytes(value);
  return bytes;
}

/** Content types and components have a uid, attributes a kind and a name. */
const isDefinition = (value: object): boolean => 'uid' in value || ('kind' in value && 'name' in value);

/**
 * The bytes that a parsed query holds with all that is remembered of it as long as it is: its rewritten form, its plan,
 * its identity.
 */
export const heldWithPlan = (query: object): number => BYTES_OF_PLAN + FORMS_OF_QUERY * heldBytes(query);
