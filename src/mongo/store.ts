import type { Db } from 'mongodb';
import type { ContentType, RelationAttribute, Registry } from '../content-types/types.js';
import type { Filter, Query } from '../query/ast.js';
import type { Changes, Write } from '../query/write.js';
import { applyWrites, finishIntent, finishIntents, type Later } from './apply-writes.js';
import { rememberAnswers, type Form, type Text } from './answers.js';
import { assemble, type MakeEntry, type Shape } from './assemble.js';
import { compileCount, compileQuery } from './compile/compile-query.js';
import type { Plan } from './compile/plan.js';
import type { Requirement } from './compile/requirements.js';
import { insertedDocument } from './compile/write.js';
import { openComponentIds, type ComponentIds } from './component-ids.js';
import { openCounters, type Counters } from './counters.js';
import { executeCount, executeRead } from './execute-read.js';
import { explainRead, type Explanation } from './explain-read.js';
import { ensureIndexes } from './indexes.js';
import { findUnmet } from './find-unmet.js';
import type { Recipient } from './end-with-recipient.js';
import { openIntents } from './intents.js';
import { shareMissing, type Targets } from './missing-targets.js';
import { cutPage, type Page } from './page.js';
import { replaceDocuments, replaceEntries, type Replaced, type WholeEntry } from './replace-entries.js';
import { readRanks, type RankedEntry } from './read-ranks.js';
import { rememberTotals } from './totals.js';
import { shareEntries } from './share-entries.js';
import { shareInserts } from './share-inserts.js';
import type { StoredDocument } from './stored-lines.js';
import { translated } from './translate-error.js';
import { rememberUnfinished } from './unfinished.js';
import { memoryVersions, sharedVersions } from './versions.js';

/** Entries in MongoDB: the only door between the documents service and the database. */
export interface Store {
  /** Ends the read when its recipient has gone. */
  find(query: Query, shape: Shape, recipient?: Recipient): Promise<Page>;
  /** A list as it is written down; remembered where answers are. */
  answer(query: Query, form: Form, recipient?: Recipient): Promise<Text>;
  /** A new entry as a query would give it, out of what was written; undefined when it has to be read. */
  present(query: Query, id: number, changes: Changes, shape: Shape): unknown;
  /** How the database answers a query: what it is asked, and its plans. */
  explain(query: Query): Promise<Explanation>;
  count(type: ContentType, filter: Filter | undefined): Promise<number>;
  /** @throws AppError unavailable; the driver's error for a refused first write, see `duplicateOf` */
  apply(writes: readonly Write[], later?: Later): Promise<number>;
  missing(targets: Targets): Promise<ReadonlyMap<ContentType, readonly number[]>>;
  /** Stores entries of one type as they are given, whatever is there under their ids; see `replaceEntries`. */
  replace(type: ContentType, entries: readonly WholeEntry[]): Promise<readonly Replaced[]>;
  /** The same of documents as they are stored. */
  restore(type: ContentType, documents: readonly StoredDocument[]): Promise<readonly Replaced[]>;
  /** The ids of all entries of a type, batch by batch. */
  ids(type: ContentType): AsyncIterable<number>;
  /** What a change takes for granted and the entry does not have; undefined when the entry is not there. */
  findUnmet(type: ContentType, id: number, changes: Changes): Promise<Requirement | undefined>;
  /** The entries that hold a target in this relation, in the order of the other side. */
  ranks(type: ContentType, attribute: RelationAttribute, target: number): Promise<readonly RankedEntry[]>;
  readonly counters: Counters;
  readonly componentIds: ComponentIds;
  /** Makes indexes and finishes what a crash left; gives the unique indexes that stored data does not allow, and why. */
  prepare(registry: Registry): Promise<readonly string[]>;
  /** Finishes the intents of processes that died: those that are so many milliseconds old. */
  sweep(registry: Registry, olderThan?: number): Promise<number>;
}

export interface StoreOptions {
  /** Milliseconds that a command may take. */
  readonly timeout: number;
  /** No other process uses the database. */
  readonly owned: boolean;
  /** Bytes of answers that are remembered; none when left out. */
  readonly answers?: number | undefined;
  /** Each request is told what it cost, see `openMeter`: it shares no read with another. */
  readonly metered?: boolean;
}

/** An intent that is this old belongs to a process that died. */
const ABANDONED = 60_000;

export function openStore(db: Db, { timeout, owned, answers: bytes, metered = false }: StoreOptions): Store {
  const versions = owned ? memoryVersions() : sharedVersions(db);
  const totals = rememberTotals();
  const missing = shareMissing(db, timeout);
  const findEntry = metered ? undefined : shareEntries(db, timeout);
  const context = { db, intents: openIntents(db), versions, insert: shareInserts(db, timeout), timeout };
  const unfinished = rememberUnfinished((intent) => finishIntent(context, intent, true));
  const raising = (type: ContentType, replace: () => Promise<readonly Replaced[]>): Promise<readonly Replaced[]> =>
    translated(async () => {
      const replaced = await replace();
      if (replaced.some(({ kind }) => kind === 'new' || kind === 'changed')) await versions.raise([type.uid]);
      return replaced;
    });
  const answers = bytes === undefined ? undefined : rememberAnswers(db, bytes, versions);
  const find = async (query: Query, plan: Plan, shape: Shape, recipient?: Recipient): Promise<Page<MakeEntry>> => {
    const options = { timeout, recipient, findEntry };
    const { withCount } = query.pagination;
    const read = await executeRead(db, plan, shape, { ...options, ...(withCount && { versions }) });
    const { page, next } = cutPage(query, read);
    const { entries, filter } = page;
    if (!withCount) return { entries, total: undefined, ...next };
    const total = await totals.of(plan, page, query.pagination, () =>
      executeCount(db, { before: [], count: { ...plan.count, filter } }, options),
    );
    return { entries, total, ...next };
  };
  return {
    counters: openCounters(db),
    componentIds: openComponentIds(db),
    count: (type, filter) => executeCount(db, compileCount(type, filter), { timeout }),
    find: async (query, shape, recipient) => {
      const page = await find(query, compileQuery(query), shape, recipient);
      return { ...page, entries: page.entries.map((make) => make()) };
    },
    answer: async (query, form, recipient) => {
      const plan = compileQuery(query);
      const make = async (): Promise<Text> => form.write(await find(query, plan, form.shape, recipient), query);
      return answers === undefined ? make() : answers.of(query, plan, form, make);
    },
    explain: (query) =>
      explainRead(db, compileQuery(query), { timeout, ...(query.pagination.withCount && { versions }) }),
    present: (query, id, changes, shape) => {
      if (query.filter !== undefined) return undefined;
      const { lookups, read, project } = compileQuery(query).main;
      if (lookups.length > 0 || project.length > 1) return undefined;
      return assemble([insertedDocument(id, changes)], {}, read, shape)[0]?.();
    },
    apply: (writes, later) => translated(() => applyWrites({ ...context, unfinished }, writes, later)),
    replace: (type, entries) => raising(type, () => replaceEntries(db, type, entries, timeout)),
    restore: (type, documents) => raising(type, () => replaceDocuments(db, type.collectionName, documents, timeout)),
    ids: async function* ({ collectionName }) {
      const found = db
        .collection<{ _id: number }>(collectionName)
        .find({}, { projection: { _id: 1 }, maxTimeMS: timeout });
      for await (const { _id } of found) yield _id;
    },
    missing,
    findUnmet: (type, id, changes) => translated(() => findUnmet(db, type, id, changes, timeout)),
    ranks: (type, attribute, target) => readRanks(db, type, attribute, target, timeout),
    prepare: async (registry) => {
      const types = [...registry.contentTypes.values()];
      const refused = await Promise.all(types.map((type) => ensureIndexes(db, type)));
      await finishIntents(context, registry, { olderThan: owned ? 0 : ABANDONED, owned });
      await versions.raise(types.map(({ uid }) => uid));
      return refused.flat();
    },
    sweep: (registry, olderThan = ABANDONED) =>
      translated(() => finishIntents(context, registry, { olderThan, owned })),
  };
}
