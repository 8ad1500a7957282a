import { isDeepStrictEqual } from 'node:util';
import type { Db, Document, IndexDescription } from 'mongodb';
import type { ContentType, Registry } from '../../../content-types/model/types.js';
import { entryTypeOf, storedTypes } from '../../../content-types/model/stored-types.js';
import { batchesOf } from '../batches.js';
import {
  onceIn,
  ownersAreSole,
  readLastIds,
  soleEntry,
  targetsAreThere,
  withinCounters,
  type LastIds,
} from './across-rules.js';
import type { Violation } from './violation.js';
import { copiesFollow } from './copy-rules.js';
import { deletedAreGone } from './trash-rules.js';
import type { IdSet } from './id-set.js';
import { groupsAreWhole } from './localization-rules.js';
import { findLacking } from '../unfit/find-unfit.js';
import { scanEntry, type Scan } from './scan-entry.js';
import { describeDuplicates, indexesOf } from '../../indexes/indexes.js';
import { keptRules } from './kept-rules.js';
import { COPIED } from '../../stored/working-copy.js';
import { valueRules, type Rule } from './value-rules.js';
import { TRANSACTIONS, type StoredTransaction } from '../../transactions/format.js';

/** The result of checking a batch. */
interface Checked {
  readonly collection: string;
  readonly entries: number;
  readonly violations: readonly Violation[];
  /**
   * Missing required values of published entries: a message for each, with the entry's id. They do not violate a
   * storage rule, because definitions can change.
   */
  readonly lacking: readonly string[];
}

/** The batch size; the driver returns fewer entries if they are large. */
const BATCH = 1000;

/**
 * Checks all stored data in batches. Entries that are written concurrently can be reported by mistake: run it again, or
 * without writers.
 */
export async function* checkDatabase(db: Db, registry: Registry): AsyncGenerator<Checked> {
  const componentIds = new Map<string, IdSet>();
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  const present = new Set(collections.map(({ name }) => name));
  for (const type of storedTypes(registry)) {
    if (!present.has(type.collectionName)) continue;
    yield { collection: type.collectionName, entries: 0, violations: await checkIndexes(db, type), lacking: [] };
    yield* checkEntries(db, type, componentIds);
  }
  yield { collection: TRANSACTIONS, entries: 0, violations: await checkTransactions(db), lacking: [] };
}

async function* checkEntries(db: Db, type: ContentType, componentIds: Map<string, IdSet>): AsyncGenerator<Checked> {
  const collection = type.collectionName;
  const first = new Map<string, string>();
  /** Copies have the components of their entries, and may want what another entry has. */
  const rulesOfEntries = async (scans: readonly Scan[], last: LastIds): Promise<readonly Rule[]> => [
    onceIn(componentIds, last),
    soleEntry(first),
    await ownersAreSole(db, type, scans),
    await groupsAreWhole(db, type, scans),
  ];
  for await (const documents of batchesOf(db.collection(collection).find({}, { sort: { _id: 1 }, batchSize: BATCH }))) {
    const scans = documents.map((document) => scanEntry(document, type));
    const last = await readLastIds(db);
    const rules = [
      ...documentRules,
      withinCounters(last),
      await targetsAreThere(db, scans),
      await copiesFollow(db, type, scans),
      ...(entryTypeOf(type) === type ? await rulesOfEntries(scans, last) : []),
      await deletedAreGone(db, type, scans),
    ];
    const violations = scans.flatMap((scan) => findViolations(scan, rules));
    const lacking = scans.flatMap((scan) =>
      findLacking(scan).map((text) => `${collection} ${String(scan.document['_id'])}: ${text}`),
    );
    yield { collection, entries: documents.length, violations, lacking };
  }
}

/**
 * How working copies of a type contradict their entries, batch by batch: a version without working copies deletes an
 * entry and leaves its copy, and writes entries that their copies do not follow.
 */
export async function* checkCopies(db: Db, type: ContentType): AsyncGenerator<readonly Violation[]> {
  if (type.copies === undefined) return;
  const sides = [
    { stored: type.copies, filter: {} },
    { stored: type, filter: { [COPIED]: 1 } },
  ];
  for (const { stored, filter } of sides) {
    const found = db.collection(stored.collectionName).find(filter, { sort: { _id: 1 }, batchSize: BATCH });
    for await (const documents of batchesOf(found)) {
      const scans = documents.map((document) => scanEntry(document, stored));
      const rules = [await copiesFollow(db, stored, scans)];
      yield scans.flatMap((scan) => findViolations(scan, rules));
    }
  }
}

/** The number of entries in each collection of a content type. */
export async function countEntries(db: Db, registry: Registry): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const { collectionName } of storedTypes(registry))
    counts.set(collectionName, await db.collection(collectionName).countDocuments());
  return counts;
}

/** The collections that belong to no content type, nor to the service itself. */
export async function findUnknownCollections(db: Db, { contentTypes }: Registry): Promise<readonly string[]> {
  const ofTypes = new Set([...contentTypes.values()].map(({ collectionName }) => collectionName));
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  const names = collections.map(({ name }) => name).filter((name) => !ofTypes.has(name) && !/^(_|system\.)/.test(name));
  return names.toSorted();
}

/** The indexes of a content type exist, or the next start can create them. */
async function checkIndexes(db: Db, type: ContentType): Promise<readonly Violation[]> {
  const collection = type.collectionName;
  const present = (await db.collection(collection).listIndexes().toArray()) as readonly IndexDescription[];
  const found: Violation[] = [];
  for (const expected of indexesOf(type)) {
    const place = { collection, id: '', path: `index ${expected.name}` };
    const index = present.find(({ name }) => name === expected.name);
    if (index === undefined) {
      const duplicates = expected.unique === true ? await describeDuplicates(db, collection, expected) : '';
      found.push(
        duplicates === ''
          ? { ...place, rule: 'is missing: the next start of the service creates it', endsAtStart: true }
          : { ...place, rule: `cannot be created: ${duplicates}` },
      );
    } else if (!isDeepStrictEqual(essence(index), essence(expected)))
      found.push({ ...place, rule: 'is different: drop it, and the next start creates it' });
  }
  return found;
}

/** The relevant parts of an index, including the order of its keys. */
const essence = ({ key, unique = false, sparse = false, partialFilterExpression = {} }: IndexDescription): unknown => ({
  key: Object.entries(key),
  unique,
  sparse,
  partialFilterExpression,
});

/** Milliseconds; younger transactions may be in progress. */
const EXPIRY_MS = 60_000;

/**
 * No transaction is unfinished. Those that were undone are kept for a while, because commands of a dead process may
 * arrive late.
 */
async function checkTransactions(db: Db): Promise<readonly Violation[]> {
  const isLeft = { $lt: ['$at', { $subtract: ['$$NOW', EXPIRY_MS] }] };
  const left = await db
    .collection<StoredTransaction>(TRANSACTIONS)
    .find({ state: { $ne: 'aborted' }, $expr: isLeft })
    .toArray();
  return left.map(({ _id, at }) => ({
    collection: TRANSACTIONS,
    id: _id,
    path: '',
    rule: `was left unfinished at ${at.toISOString()}: the next start of the service ends it`,
    endsAtStart: true,
  }));
}

/** Every rule that one entry alone can break. */
const documentRules: readonly Rule[] = [...Object.values(valueRules), ...Object.values(keptRules)];

/** Checks one stored entry of a content type, without the others. */
export const checkDocument = (document: Document, type: ContentType): readonly Violation[] =>
  findViolations(scanEntry(document, type), documentRules);

/** Applies rules to an entry. */
function findViolations(scan: Scan, rules: readonly Rule[]): readonly Violation[] {
  const { type, document } = scan;
  const [collection, id] = [type.collectionName, String(document['_id'])];
  return rules.flatMap((rule) => rule(scan)).map((finding) => ({ collection, id, ...finding }));
}
