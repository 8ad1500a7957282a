import type { ContentType, Registry } from '../../content-types/model/types.js';
import { copiesIn, storedTypes, trashIn } from '../../content-types/model/stored-types.js';
import { referenceRemovals } from '../../documents/write/references.js';
import { applyRepair } from '../../mongo/maintenance/check/apply-repair.js';
import { checkCopies } from '../../mongo/maintenance/check/check-database.js';
import { describeViolation, type Violation } from '../../mongo/maintenance/check/violation.js';
import type { Database } from '../../mongo/connection/database.js';
import {
  countLocalized,
  dropLocales,
  findTranslations,
  hasNoLocales,
} from '../../mongo/maintenance/migrate/former-locales.js';
import { countMove, movableRelations, moveRelation } from '../../mongo/maintenance/migrate/move-relation.js';
import {
  changeDialect,
  findDialectChange,
  findNewDuplicates,
  type DialectChange,
} from '../../mongo/maintenance/migrate/change-dialect.js';
import { countWithoutDocumentId, giveDocumentIds } from '../../mongo/maintenance/migrate/give-document-ids.js';
import { changeRules, findChanges } from '../../mongo/maintenance/definitions/definition-changes.js';
import { readDefinitions, recordDefinitions } from '../../mongo/maintenance/definitions/stored-definitions.js';
import { pagesOf } from '../../mongo/maintenance/batches.js';
import { describeChoice } from '../../mongo/stored/dialect.js';
import { CHANGES } from '../../mongo/stored/working-copy.js';
import { renameCollection } from '../../mongo/maintenance/migrate/rename-collection.js';
import { rewriteEntries } from '../../mongo/maintenance/migrate/rewrite-entries.js';
import { openStore, type Store } from '../../mongo/store.js';
import type { ReceiptOptions } from '../../mongo/write/receipts.js';
import type { Declared } from './read-migrations.js';
import type { StoredEntry } from '../../mongo/stored/stored-entry.js';
import type { Finding } from '../../plugins/contract/built-in.js';

/** So many more entries are dealt with. */
type Advance = (entries: number) => void;

/** The dependencies and callbacks of a run. */
export interface Migrating {
  readonly database: Database;
  readonly registry: Registry;
  readonly declared: Declared;
  /** The locale for entries of localized types that have none. */
  readonly locale: string;
  /**
   * What becomes of entries that have never been published, where their type has got drafts or has them no longer;
   * undefined: not decided.
   */
  readonly drafts: DraftDecision | undefined;
  /** False: it looks, and changes nothing. */
  readonly apply: boolean;
  readonly stopping: AbortSignal;
  /** What plugins hear of the entries that it deletes; default: nothing. */
  readonly receipts?: ReceiptOptions | undefined;
  /** Something does not change. */
  readonly problem: (line: string) => void;
  /** Shows how far a task is while it runs. */
  readonly withProgress: (task: string, total: number, run: (advance: Advance) => Promise<void>) => Promise<void>;
}

export const draftDecisions = ['delete', 'publish', 'keep'] as const;
export type DraftDecision = (typeof draftDecisions)[number];

/** The decisions that each change leaves. */
const possible: Readonly<Record<'draftsOff' | 'draftsOn', readonly DraftDecision[]>> = {
  draftsOff: ['delete', 'publish'],
  draftsOn: ['publish', 'keep'],
};

/** A run with what it finds. */
interface Run extends Migrating {
  readonly findings: Findings;
  /** How entries will not fit their definition nevertheless. */
  readonly unfit: Findings;
}

/** Milliseconds that a read of the store may take. */
const TIMEOUT = 60_000;

/**
 * Migrates the stored data to the current content types, or only reports the changes. Every step can be broken off at
 * any moment and done again. Returns the changes, and how entries will not fit their definition nevertheless.
 * @throws StartError if declared names contradict stored data
 */
export async function migrateData(migrating: Migrating) {
  const run: Run = { ...migrating, findings: gatherFindings(), unfit: gatherFindings() };
  await migrateAll(run);
  return { found: run.findings.list(), unfit: run.unfit.list() };
}

async function migrateAll(migrating: Run): Promise<void> {
  const { database, registry, apply, stopping, receipts } = migrating;
  const { db } = database;
  const decided = await decideChanges(migrating);
  const collections = await renameCollections(migrating);
  const change = await findDialectChange(db, registry);
  if (change !== undefined && !(await canChange(change, migrating))) return;
  if (!(await canMove(migrating, collections))) return;
  const types = [...registry.contentTypes.values()];
  const counts = await Promise.all(
    storedTypes(registry).map((type) => db.collection(currentCollection(type, collections)).countDocuments()),
  );
  const total = counts.reduce((sum, number) => sum + number, 0);
  await migrating.withProgress('Entries', total, (advance) =>
    rewriteAll(migrating, { collections, published: decided.published }, advance),
  );
  if (!apply && change === undefined)
    for (const duplicates of await findNewDuplicates(db, registry)) migrating.problem(violates(duplicates));
  await countDocumentIds(migrating, collections);
  if (!apply) await mendCopies(migrating);
  if (!apply || stopping.aborted) return;
  const store = openStore(db, { timeout: TIMEOUT, exclusive: database.exclusive, receipts });
  await moveRelations(migrating);
  await forgetLocales(migrating, store);
  await deleteDrafts(migrating, store, decided.deleted);
  await identifyDocuments(migrating, store);
  await mendCopies(migrating, store);
  if (stopping.aborted) return;
  await dropHidden(db, registry);
  if (change !== undefined) await changeDialect(db, registry, change);
  const refused = await store.prepare(registry);
  for (const index of refused) migrating.problem(violates(index));
  await recordDefinitions(
    db,
    types.filter((type) => !decided.open.has(type)),
  );
}

/**
 * Notes the entries that will be seen otherwise by the changed definitions, and what becomes of them. For some of these
 * a person has to say it: their types stay `open` without that.
 */
async function decideChanges(migrating: Run) {
  const { database, registry, locale, declared, drafts, apply, findings, problem } = migrating;
  const { db } = database;
  const [published, deleted, open] = [new Set<ContentType>(), new Set<ContentType>(), new Set<ContentType>()];
  const recorded = await readDefinitions(db);
  for (const { kind, type, entries, effect } of await findChanges(
    db,
    recorded,
    registry,
    locale,
    declared.collections,
  )) {
    if (kind !== 'draftsOff' && kind !== 'draftsOn') {
      // The steps that adapt entries say it themselves.
      if (changeRules[kind].migration === 'accepts') findings.count(type.uid, effect, entries);
      continue;
    }
    const choices = possible[kind];
    if (drafts === undefined || !choices.includes(drafts)) {
      open.add(type);
      const line = `${effect} (choose ${choices.map((choice) => `--drafts ${choice}`).join(' or ')})`;
      if (apply) problem(`${type.uid}: ${line}`);
      else findings.count(type.uid, line, entries);
    } else if (kind === 'draftsOff') {
      findings.count(type.uid, drafts === 'delete' ? 'are drafts, and are deleted' : effect, entries);
      if (drafts === 'delete') deleted.add(type);
    } else if (drafts === 'publish') published.add(type);
    else findings.count(type.uid, effect, entries);
  }
  return { published, deleted, open };
}

/** Deletes the drafts of types that have none any longer. */
async function deleteDrafts(migrating: Run, store: Store, types: ReadonlySet<ContentType>): Promise<void> {
  const { database, registry, stopping, withProgress } = migrating;
  const unpublished = { publishedAt: { $exists: false } };
  for (const type of types) {
    const entries = database.db.collection<StoredEntry>(type.collectionName);
    const total = stopping.aborted ? 0 : await entries.countDocuments(unpublished);
    if (total === 0) continue;
    await withProgress(`${type.uid} drafts`, total, async (advance) => {
      for await (const page of pagesOf(entries, unpublished, [])) {
        for (const { _id: id } of page) {
          if (stopping.aborted) return;
          const references = referenceRemovals(type, id, registry);
          await store.apply([{ kind: 'remove', type, id, references }]);
          advance(1);
        }
      }
    });
  }
}

/** Notes how many entries get a `documentId`. */
async function countDocumentIds({ database, registry, findings }: Run, collections: Collections): Promise<void> {
  for (const type of registry.contentTypes.values()) {
    if (type.documentId === undefined) continue;
    const entries = await countWithoutDocumentId(database.db, currentCollection(type, collections));
    if (entries > 0) findings.count(type.uid, 'get a documentId', entries);
  }
}

/** Gives each entry without one its `documentId`. */
async function identifyDocuments({ database, registry, stopping, withProgress }: Run, store: Store): Promise<void> {
  for (const type of registry.contentTypes.values()) {
    if (type.documentId === undefined || stopping.aborted) continue;
    const total = await countWithoutDocumentId(database.db, type.collectionName);
    await withProgress(`${type.uid} documentId`, total, async (advance) => {
      for await (const entries of giveDocumentIds(database.db, type, store.documentIds)) {
        advance(entries);
        if (stopping.aborted) return;
      }
    });
  }
}

/**
 * Lets working copies agree with their entries again, after a version that has none has written or deleted these.
 * Before other changes of the data it only notes them: a copy may contradict its entry because of these.
 */
async function mendCopies({ database, registry, stopping, findings }: Run, store?: Store): Promise<void> {
  for (const type of registry.contentTypes.values()) {
    for await (const violations of checkCopies(database.db, type)) {
      for (const { repair } of violations) {
        if (repair === undefined) continue;
        if (stopping.aborted) return;
        const isGone = repair.writes?.some(([{ kind }]) => kind === 'remove') === true;
        findings.add(type.uid, [isGone ? 'lose a working copy that was left' : 'agree with their working copy again']);
        if (store !== undefined) await applyRepair(store, repair);
      }
    }
  }
}

/**
 * Drops the working copies and deleted entries of types that have none any longer: no entry says any more that it has a
 * copy.
 */
async function dropHidden(db: Database['db'], { contentTypes }: Registry): Promise<void> {
  const stored = await db.listCollections({}, { nameOnly: true }).toArray();
  for (const { copies, trash, collectionName } of contentTypes.values()) {
    const unused = new Set([
      ...(copies === undefined ? [copiesIn(collectionName)] : []),
      ...(trash === undefined ? [trashIn(collectionName)] : []),
    ]);
    for (const { name } of stored) if (unused.has(name)) await db.dropCollection(name);
  }
}

const violates = (index: string): string => `The stored data violates the index ${index}`;

/** Notes the change of the rules of values; false if values that must be unique are equal by the new ones. */
async function canChange({ from }: DialectChange, migrating: Run): Promise<boolean> {
  const { database, registry, findings, problem } = migrating;
  findings.note(
    'all values',
    `have the rules of ${describeChoice(registry.dialect.choice)}, not of ${describeChoice(from.next ?? from)}`,
  );
  const duplicates = await findNewDuplicates(database.db, registry);
  for (const line of duplicates) problem(`Equal by the new rules: ${line}`);
  return duplicates.length === 0;
}

/**
 * False if working copies change relations that other entries store from now on: these would show the change at once.
 * Those of deleted entries cannot move either: they have to be restored first, or removed for good.
 */
async function canMove(
  { database: { db }, registry, declared, problem }: Run,
  collections: Collections,
): Promise<boolean> {
  let isPossible = true;
  for (const { type, attribute } of movableRelations(registry)) {
    const deleted =
      type.trash === undefined
        ? 0
        : await db
            .collection(currentCollection(type.trash.type, collections))
            .countDocuments({ [attribute.name]: { $exists: true } });
    if (deleted > 0) {
      isPossible = false;
      problem(
        `${type.uid}: ${deleted} ${deleted === 1 ? 'entry' : 'entries'} in the trash ${deleted === 1 ? 'has' : 'have'} ${attribute.name}, which ` +
          `entries of ${attribute.target.uid} store now: restore or remove them by the former definitions`,
      );
    }
    if (type.copies === undefined) continue;
    const former = [...(declared.attributes.get(type.uid) ?? [])].flatMap(([from, to]) =>
      to === attribute.name ? [from] : [],
    );
    const copies = await db
      .collection(currentCollection(type.copies, collections))
      .countDocuments({ [CHANGES]: { $in: [attribute.name, ...former] } });
    if (copies === 0) continue;
    isPossible = false;
    const stored = `which entries of ${attribute.target.uid} store now`;
    problem(
      `${type.uid}: ${copies} working ${copies === 1 ? 'copy changes' : 'copies change'} ${attribute.name}, ${stored}: publish or discard ` +
        'them by the former definitions',
    );
  }
  return isPossible;
}

/** The current collections of entries that must move, by the new name of the collection. */
type Collections = ReadonlyMap<string, string>;

const currentCollection = ({ collectionName }: { readonly collectionName: string }, collections: Collections): string =>
  collections.get(collectionName) ?? collectionName;

async function renameCollections({ database: { db }, declared, apply, findings }: Run): Promise<Collections> {
  const pendingNames = new Map<string, string>();
  for (const [from, to] of declared.collections) {
    if (!(await renameCollection(db, from, to, apply))) continue;
    for (const hidden of [copiesIn, trashIn]) await renameCollection(db, hidden(from), hidden(to), apply);
    findings.note(`collection ${from}`, `becomes ${to}`);
    if (!apply) pendingNames.set(to, from).set(copiesIn(to), copiesIn(from)).set(trashIn(to), trashIn(from));
  }
  return pendingNames;
}

async function rewriteAll(
  migrating: Run,
  { collections, published }: { readonly collections: Collections; readonly published: ReadonlySet<ContentType> },
  advance: Advance,
): Promise<void> {
  const { database, registry, declared, locale, apply, stopping, findings, unfit } = migrating;
  for (const type of storedTypes(registry)) {
    const collection = currentCollection(type, collections);
    const migration = { formerNames: declared.attributes, locale, publishes: published.has(type) };
    for await (const part of rewriteEntries(database.db, type, migration, { collection, apply })) {
      findings.add(type.uid, [...part.changes, ...part.pending]);
      unfit.add(type.uid, part.unfit);
      reportProblems(part.problems, migrating);
      advance(part.entries);
      if (stopping.aborted) return;
    }
    if (!apply && hasNoLocales(type)) {
      for await (const ids of findTranslations(database.db, collection, locale)) {
        const deletions = ids.map(() => DELETED);
        findings.add(type.uid, deletions);
      }
    }
  }
}

async function moveRelations(migrating: Run): Promise<void> {
  const { database, registry, stopping, withProgress } = migrating;
  for (const relation of movableRelations(registry)) {
    const total = stopping.aborted ? 0 : await countMove(database.db, relation);
    if (total === 0) continue;
    await withProgress(`${relation.type.uid} ${relation.attribute.name}`, total, async (advance) => {
      for await (const { entries, problems } of moveRelation(database.db, relation)) {
        reportProblems(problems, migrating);
        advance(entries);
        if (stopping.aborted) return;
      }
    });
  }
}

async function forgetLocales(migrating: Run, store: Store): Promise<void> {
  const { database, registry, locale, stopping, findings, withProgress } = migrating;
  const { db } = database;
  const types = [...registry.contentTypes.values()].flatMap((type) => [type, ...(type.trash ? [type.trash.type] : [])]);
  for (const type of types.filter(hasNoLocales)) {
    const total = stopping.aborted ? 0 : await countLocalized(db, type.collectionName);
    if (total === 0) continue;
    await withProgress(`${type.uid} locales`, total, async (advance) => {
      for await (const ids of findTranslations(db, type.collectionName, locale)) {
        const deletions = ids.map(() => DELETED);
        findings.add(type.uid, deletions);
        for (const id of ids) {
          if (stopping.aborted) return;
          const references = referenceRemovals(type, id, registry);
          await store.apply([{ kind: 'remove', type, id, references }]);
          advance(1);
        }
      }
      for await (const entries of dropLocales(db, type.collectionName)) {
        advance(entries);
        if (stopping.aborted) return;
      }
    });
  }
}

const DELETED = 'is deleted, as its content stays in another locale';

const reportProblems = (problems: readonly Violation[], { problem }: Run): void => {
  for (const violation of problems) problem(describeViolation(violation));
};

/** Texts about subjects such as content types, with the number of entries that each is about. */
function gatherFindings() {
  const subjects = new Map<string, Map<string, number>>();
  const textsOf = (subject: string): Map<string, number> => {
    const texts = subjects.get(subject) ?? new Map<string, number>();
    subjects.set(subject, texts);
    return texts;
  };
  return {
    /** Counts one entry for each of the messages. */
    add: (subject: string, texts: readonly string[]): void => {
      for (const text of texts) textsOf(subject).set(text, (textsOf(subject).get(text) ?? 0) + 1);
    },
    /** A line about so many entries. */
    count: (subject: string, text: string, entries: number): void => void textsOf(subject).set(text, entries),
    /** A line with text only. */
    note: (subject: string, text: string): void => void textsOf(subject).set(text, 0),
    /** By subject; `entries` is 0 if they are not counted. */
    list: (): readonly Finding[] =>
      [...subjects].flatMap(([subject, texts]) => [...texts].map(([text, entries]) => ({ subject, text, entries }))),
  };
}

type Findings = ReturnType<typeof gatherFindings>;
