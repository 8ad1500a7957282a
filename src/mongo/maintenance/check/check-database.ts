import type { Db, Document } from 'mongodb';
import type { ContentType, Registry } from '../../../content-types/model/types.js';
import { onceIn, ownersAreSole, readLastNumbers, soleEntry, targetsAreThere, withinCounters } from './across-rules.js';
import type { Violation } from './violation.js';
import { documentRules, findViolations } from './check-document.js';
import { checkIndexes } from './check-indexes.js';
import { checkIntents } from './check-intents.js';
import type { IdSet } from './id-set.js';
import { groupsAreWhole } from './localization-rules.js';
import { findLacking } from '../unfit/find-unfit.js';
import { scanEntry } from './scan-entry.js';

/** What a look at some of the data gave. */
export interface Checked {
  readonly collection: string;
  /** How many entries were looked at. */
  readonly entries: number;
  readonly breaches: readonly Violation[];
  /** Required values that published entries lack: a text for each, with the entry's id. No rule of the storage, as definitions change. */
  readonly lacking: readonly string[];
}

/** Entries that are looked at together; the driver hands out fewer where they are large. */
const BATCH = 1000;

/**
 * Checks everything that is stored, batch by batch, whatever its amount. What is written meanwhile may be named though
 * nothing is wrong: run it again, or while nobody writes.
 */
export async function* checkDatabase(db: Db, { contentTypes }: Registry): AsyncGenerator<Checked> {
  const componentIds = new Map<string, IdSet>();
  for (const type of contentTypes.values()) {
    yield { collection: type.collectionName, entries: 0, breaches: await checkIndexes(db, type), lacking: [] };
    yield* checkEntries(db, type, componentIds);
  }
  yield { collection: '_intents', entries: 0, breaches: await checkIntents(db), lacking: [] };
}

async function* checkEntries(db: Db, type: ContentType, componentIds: Map<string, IdSet>): AsyncGenerator<Checked> {
  const collection = type.collectionName;
  const first = new Map<string, string>();
  const cursor = db.collection(collection).find({}, { sort: { _id: 1 }, batchSize: BATCH });
  try {
    while (await cursor.hasNext()) {
      const documents: readonly Document[] = cursor.readBufferedDocuments();
      const surveys = documents.map((document) => scanEntry(document, type));
      const last = await readLastNumbers(db);
      const rules = [
        ...documentRules,
        withinCounters(last),
        onceIn(componentIds, last),
        soleEntry(first),
        await targetsAreThere(db, surveys),
        await ownersAreSole(db, type, surveys),
        await groupsAreWhole(db, type, surveys),
      ];
      const breaches = surveys.flatMap((survey) => findViolations(survey, rules));
      const lacking = surveys.flatMap((survey) =>
        findLacking(survey).map((text) => `${collection} ${String(survey.document['_id'])}: ${text}`),
      );
      yield { collection, entries: documents.length, breaches, lacking };
    }
  } finally {
    await cursor.close();
  }
}

/** How many entries there are to check. */
export async function countEntries(db: Db, { contentTypes }: Registry): Promise<number> {
  let all = 0;
  for (const { collectionName } of contentTypes.values()) all += await db.collection(collectionName).countDocuments();
  return all;
}

/** The collections that belong to no content type, nor to the service itself. */
export async function findUnknownCollections(db: Db, { contentTypes }: Registry): Promise<readonly string[]> {
  const known = new Set([...contentTypes.values()].map(({ collectionName }) => collectionName));
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  const names = collections.map(({ name }) => name).filter((name) => !known.has(name) && !/^(_|system\.)/.test(name));
  return names.toSorted();
}
