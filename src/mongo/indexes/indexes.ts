import { MongoServerError, type CollationOptions, type Db, type IndexDescription, type Document } from 'mongodb';
import { isLocalized } from '../../content-types/model/localized.js';
import type { Attribute, ContentType, IndexKeys, RelationAttribute } from '../../content-types/model/types.js';
import { DOCUMENT_ID } from '../../content-types/model/system-attributes.js';
import { isUnique, isUniquePerLocale } from '../../content-types/model/unique.js';
import { allowedComponents } from '../../content-types/model/walk.js';
import { isIndexed, isRanked, linkFields, REFERENCE_TARGETS } from '../stored/relation.js';
import { PUBLICATION } from '../stored/review.js';
import { DELETED_AT } from '../stored/trash.js';
import { CHANGES, COPIED, isCopied } from '../stored/working-copy.js';
import { CREATED_BY, UPDATED_BY } from '../stored/writers.js';
import { systemCommandOptions } from '../read/time-limits.js';
import { isDuplicate } from '../errors.js';
import { isOnDemand } from './on-demand-indexes.js';

/** The prefix of the names of the indexes that a start creates, and drops when they are no longer needed. */
const PREFIX = 'cs_';

/** Whether a path is one of the conditions of nearly all lists, which have an index together. */
export const isListed = (path: string): boolean => path === '_live' || path === 'locale';

/**
 * The indexes that a content type needs: lists of live entries in one locale, unique values, relations, references, and
 * the declared ones. Localizations are unique per locale, which makes a locale unique within its group.
 */
export function indexesOf(type: ContentType): readonly IndexDescription[] {
  const attributes = [...type.attributes.values()];
  const localized = isLocalized(type);
  const listed = { ...(type.draftAndPublish && { _live: 1 as const }), ...(localized && { locale: 1 as const }) };
  const lists = Object.keys(listed).length > 0 ? [index({ ...listed, _id: 1 })] : [];
  const unique = attributes
    .filter(isUnique)
    .map((attribute) => uniqueIndex(attribute.name, isUniquePerLocale(attribute, type) ? { locale: 1 } : {}));
  const relations = attributes
    .filter(isIndexed)
    // There are no admin users, so no entry refers to one.
    .filter(({ target }) => target.uid !== 'admin::user');
  const references = attributes.some(holdsReferences) ? [{ ...index({ [REFERENCE_TARGETS]: 1 }), sparse: true }] : [];
  // Deleted entries may have values that others have by now. They are listed by the time of their deletion, and lose
  // links to what is deleted later. What is looked for among entries is looked for there, too.
  if (type.trashOf !== undefined)
    return [
      ...relations.map(({ name }) => index({ [name]: 1 })),
      ...references,
      index({ [DELETED_AT]: 1 }),
      ...type.indexes.map((keys) => index(storedKeys(keys))),
    ];
  const isCopied = type.copies === undefined ? {} : { [COPIED]: 1 as const };
  const declared = type.indexes.map(storedKeys).map((keys) => {
    const added = without({ _id: 1, ...listed }, keys);
    return index({ ...keys, ...added, ...isCopied });
  });
  const all = [
    ...lists,
    ...(type.kind === 'singleType' ? [uniqueIndex('_sole')] : []),
    ...(type.documentId === undefined ? [] : [uniqueIndex(DOCUMENT_ID, localized ? { locale: 1 } : {})]),
    ...unique,
    ...relations.map((attribute) =>
      localized && attribute.name === 'localizations'
        ? uniqueIndex(attribute.name, { locale: 1 })
        : index(keysOfRelation(attribute)),
    ),
    ...references,
    ...(attributes.some(holdsUnique) ? [uniqueIndex('_unique.k')] : []),
    // Few entries have a copy: their number, and what they have, is found by them.
    ...(type.copies === undefined ? [] : [{ ...index({ [COPIED]: 1 }), sparse: true }]),
    // Those who publish look at what they have published last.
    ...(type.draftAndPublish && type.copyOf === undefined ? [indexOfPublications, partials.drafts.index] : []),
    // Everybody looks at what was changed last, and at what they have prepared.
    ...(type.uid.startsWith('api::') || type.copyOf !== undefined ? [partials.changes.index] : []),
    ...declared,
  ];
  return type.copyOf === undefined ? all : all.map(indexOfCopies);
}

/** The last publications by users, in the order in which they are listed. */
const indexOfPublications: IndexDescription = {
  ...index({ [`${PUBLICATION}.at`]: -1, _id: 1 }),
  partialFilterExpression: { [`${PUBLICATION}.at`]: { $exists: true } },
};

/** An index of some entries, which serves only reads with a condition that all of these satisfy. */
interface PartialIndex {
  readonly index: IndexDescription;
  readonly isFor: (condition: Document) => boolean;
}

const partials = {
  /**
   * The latest drafts, of a user or of others: a page reads no entry but those on it. Published entries are not in it,
   * so writes of them cost nothing more.
   */
  drafts: {
    index: {
      ...index({ updatedAt: -1, _id: 1, [CREATED_BY]: 1, [UPDATED_BY]: 1 }),
      name: `${PREFIX}drafts`,
      partialFilterExpression: { _live: null },
    },
    isFor: ({ _live }) => _live === null,
  },
  /** The latest changes by users. What programs write with tokens, such as an import, costs nothing more. */
  changes: {
    index: {
      ...index({ updatedAt: -1, _id: 1, [UPDATED_BY]: 1 }),
      name: `${PREFIX}changes`,
      partialFilterExpression: { [UPDATED_BY]: { $exists: true } },
    },
    // Of a user, or of any.
    isFor: ({ [UPDATED_BY]: user }) => user !== undefined && user !== null,
  },
} as const satisfies Readonly<Record<string, PartialIndex>>;

/** What reads find: all entries that match their conditions, or those of a partial index alone. */
export type Found = keyof typeof partials | 'all';

/** What a read finds with these conditions, which are joined by `$and`. */
export function foundBy(conditions: readonly Document[]): Found {
  const names = Object.keys(partials) as (keyof typeof partials)[];
  return names.find((name) => conditions.some(partials[name].isFor)) ?? 'all';
}

/** The indexes that can serve reads; to those that find nothing else, a partial one is one of all entries. */
export function indexesFor(type: ContentType, found: Found): readonly IndexDescription[] {
  const parts = new Set<IndexDescription>(Object.values(partials).map((partial) => partial.index));
  const { partialFilterExpression: _, ...complete } = found === 'all' ? {} : partials[found].index;
  return indexesOf(type).flatMap((one) => {
    if (!parts.has(one)) return [one];
    return found !== 'all' && one === partials[found].index ? [complete as IndexDescription] : [];
  });
}

/**
 * Two copies cannot both change an attribute to the same unique value. What they follow may have a value that another
 * one wants: the index of the entries decides between them when that is published.
 */
function indexOfCopies(ofEntries: IndexDescription): IndexDescription {
  const { unique, partialFilterExpression, ...description } = ofEntries;
  const [path = ''] = Object.keys(description.key);
  if (unique !== true) return ofEntries;
  if (!isCopied(path) || path.startsWith('_'))
    return { ...description, partialFilterExpression: partialFilterExpression ?? {} };
  return { ...description, unique, partialFilterExpression: { ...partialFilterExpression, [CHANGES]: path } };
}

/**
 * In the order of the other side, which can then be read in part. One index cannot have a list and the list of its
 * ranks.
 */
const keysOfRelation = (attribute: RelationAttribute): Record<string, 1> =>
  attribute.relation === 'manyToOne' && isRanked(attribute)
    ? { ...linkFields(attribute.name, 1, 1), _id: 1 }
    : { [attribute.name]: 1 };

/** The keys of a declared index by the names that documents have. */
const storedKeys = (keys: IndexKeys): IndexKeys =>
  Object.fromEntries(Object.entries(keys).map(([name, direction]) => [name === 'id' ? '_id' : name, direction]));

const without = (keys: IndexKeys, extra: IndexKeys): IndexKeys =>
  Object.fromEntries(Object.entries(keys).filter(([name]) => !Object.hasOwn(extra, name)));

function index(key: Record<string, 1 | -1>): IndexDescription {
  const name = PREFIX + Object.entries(key).flat().join('_');
  return { key, name };
}

/** Absent values are excluded, and equality queries can use it, unlike with a `$type` filter. */
const uniqueIndex = (path: string, extraKeys: IndexKeys = {}): IndexDescription => ({
  ...index({ [path]: 1, ...extraKeys }),
  name: [`${PREFIX}unique_${path}`, ...Object.keys(extraKeys)].join('_'),
  unique: true,
  partialFilterExpression: { [path]: { $exists: true } },
});

/** Whether the attribute, or one of its components, satisfies the test. */
const hasAttribute = (attribute: Attribute, test: (attribute: Attribute) => boolean): boolean =>
  test(attribute) ||
  allowedComponents(attribute).some((component) =>
    [...component.attributes.values()].some((inner) => hasAttribute(inner, test)),
  );

/** Whether entries can store references for this attribute. */
function holdsReferences(attribute: Attribute): boolean {
  if (attribute.kind === 'relation') return attribute.side === 'owner' && attribute.media;
  return hasAttribute(
    attribute,
    (inner) => inner.kind === 'morph' || (inner.kind === 'relation' && inner.side === 'owner'),
  );
}

const holdsUnique = (attribute: Attribute): boolean =>
  allowedComponents(attribute).length > 0 && hasAttribute(attribute, isUnique);

/**
 * Creates the indexes of a content type without a time limit, and drops those of the service that are no longer needed.
 * Idempotent; readers and writers continue meanwhile. Returns the unique indexes that the stored data violates, with
 * the duplicate values.
 */
export async function ensureIndexes(db: Db, type: ContentType): Promise<readonly string[]> {
  const { collectionName: collection } = type;
  const expected = indexesOf(type);
  const refused: string[] = [];
  // One command if all exist or can be created, as in most starts, for each content type.
  const all = await create(db, collection, expected);
  if (all === REFUSED) {
    for (const description of expected) {
      if ((await create(db, collection, [description])) !== REFUSED) continue;
      refused.push(`${description.name} of ${collection}: ${await describeDuplicates(db, collection, description)}`);
    }
  }
  // With the one on `_id`.
  if (all !== expected.length + 1) await dropOthers(db, collection, new Set(expected.map(({ name }) => name)));
  return refused;
}

const REFUSED = 'refused';

/**
 * Creates missing indexes. Returns the resulting number of indexes if the server reports it.
 * Not waiting for a flush is safe: a journal is in order, so no later entry precedes the index in it.
 */
async function create(
  db: Db,
  collection: string,
  indexes: readonly IndexDescription[],
): Promise<number | undefined | typeof REFUSED> {
  if (indexes.length === 0) return undefined;
  try {
    const { numIndexesAfter }: { numIndexesAfter?: number } = await db.command({ createIndexes: collection, indexes });
    return numIndexesAfter;
  } catch (error) {
    if (isDuplicate(error)) return REFUSED;
    throw error;
  }
}

async function dropOthers(db: Db, name: string, expected: ReadonlySet<string | undefined>): Promise<void> {
  const collection = db.collection(name);
  for (const index of await collection.listIndexes(systemCommandOptions).toArray().catch(noneWithout)) {
    const { name: present } = index as { name: string };
    if (present.startsWith(PREFIX) && !expected.has(present)) await collection.dropIndex(present, systemCommandOptions);
  }
}

const NAMESPACE_NOT_FOUND = 26;

/** A missing collection has no indexes. */
function noneWithout(error: unknown): readonly never[] {
  if (error instanceof MongoServerError && error.code === NAMESPACE_NOT_FOUND) return [];
  throw error;
}

/** The maximum number of listed values: enough to start the repair. */
const MAX_LISTED = 5;

/**
 * Describes the values that prevent a unique index, e.g. `"A-1" in the entries 3, 8`, for the operator; empty if there
 * are none.
 * @param collation default: that of the collection
 */
export async function describeDuplicates(
  db: Db,
  collection: string,
  { key, partialFilterExpression }: IndexDescription,
  collation?: CollationOptions,
): Promise<string> {
  const paths = Object.keys(key);
  const [first = ''] = paths;
  const lists = first.includes('.') ? first.slice(0, first.indexOf('.')) : first;
  const duplicates = await db
    .collection(collection)
    .aggregate<{ values: unknown[]; ids: number[] }>(
      [
        { $match: partialFilterExpression ?? {} },
        { $unwind: `$${lists}` },
        { $group: { _id: paths.map((path) => `$${path}`), ids: { $addToSet: '$_id' } } },
        { $match: { 'ids.1': { $exists: true } } },
        { $sort: { _id: 1 } },
        { $limit: MAX_LISTED },
        {
          $project: {
            _id: 0,
            values: '$_id',
            ids: { $slice: [{ $sortArray: { input: '$ids', sortBy: 1 } }, MAX_LISTED] },
          },
        },
      ] satisfies Document[],
      collation && { collation },
    )
    .toArray();
  return duplicates
    .map(({ values, ids }) => `${values.map(describe).join(', ')} in the entries ${ids.join(', ')}`)
    .join('; ');
}

const describe = (value: unknown): string => JSON.stringify(typeof value === 'bigint' ? String(value) : value);

type NamedIndex = IndexDescription & { readonly name: string };

/** The indexes that a start does not create, as they are created in a collection of another collation. */
export async function addedIndexes(db: Db, collection: string): Promise<readonly NamedIndex[]> {
  const indexes = await db.collection(collection).listIndexes(systemCommandOptions).toArray().catch(noneWithout);
  return (indexes as readonly (NamedIndex & { readonly v?: number })[]).flatMap(
    ({ v: _version, collation: _collation, ...index }) =>
      index.name.startsWith(PREFIX) || index.name === '_id_' ? [] : [index],
  );
}

/** Those of them that the operator has created. */
export async function operatorIndexes(db: Db, collection: string): Promise<readonly IndexDescription[]> {
  return (await addedIndexes(db, collection)).filter(({ name }) => !isOnDemand(name));
}
