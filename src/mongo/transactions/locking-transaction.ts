import type { AnyBulkWriteOperation, Db, Document } from 'mongodb';
import { groupBy } from '../../config/group-by.js';
import type { Change } from '../../query/change.js';
import { isRefusal } from '../errors.js';
import { systemCommandOptions } from '../read/time-limits.js';
import { withoutFlush } from '../write/counters.js';
import type { EntryQueue } from './entry-queue.js';
import {
  changeableBy,
  LOCK,
  lockedBy,
  lockOf,
  nameOf,
  TRANSACTIONS,
  UNDO,
  undoId,
  unlocked,
  withoutLock,
  type EntryKey,
  type EntryLock,
  type StoredTransaction,
  type UndoRecord,
} from './format.js';
import { entriesOf, type Settling } from './settle.js';
import { encodeSteps, type AfterStep } from './steps.js';
import type { EntryChange, FieldChanges, Transaction } from './transaction.js';
import { deadlineIn, growingPauses, Locked, type Deadline } from './wait.js';

export interface TransactionParts {
  readonly db: Db;
  readonly timeout: number;
  readonly patience: number;
  readonly pause: ((milliseconds: number) => Promise<unknown>) | undefined;
  readonly queue: EntryQueue;
  readonly settling: Settling;
  /** It has a record that has to be renewed until its end. */
  readonly begun: (id: string) => void;
  readonly ended: (id: string) => void;
  /** An error has interrupted its end, which is repeated soon. */
  readonly leave: (id: string, end: () => Promise<void>) => void;
  readonly count: (what: 'waits' | 'aborts') => void;
}

/** An entry as the transaction has it: undefined if it does not exist. */
interface Held {
  readonly key: EntryKey;
  document: Document | undefined;
  lock: EntryLock | undefined;
  isLogged: boolean;
}

/** Milliseconds that a transaction waits for other processes while it has locked other entries, so that of two that wait for each other one gives up soon. */
const HOLDING_MS = 1000;

/** A transaction of this process; see `Transaction`. */
export function openTransaction(id: string, parts: TransactionParts): Transaction {
  const { db, timeout: maxTimeMS, queue, settling, count } = parts;
  const records = db.collection<StoredTransaction>(TRANSACTIONS);
  const unflushed = withoutFlush(db);
  const log = db.collection<UndoRecord>(UNDO, unflushed);
  const held = new Map<string, Held>();
  /** The new entries in the log: an id of one that was refused may come again. */
  const created = new Set<string>();
  const steps: AfterStep[] = [];
  const changes: Change[] = [];
  const following: { readonly commit: (() => unknown)[]; readonly abort: (() => unknown)[] } = {
    commit: [],
    abort: [],
  };
  let state: Transaction['state'] = 'open';
  let begun: Promise<unknown> | undefined;
  /** A command had no answer: it may be executed later. */
  let isUnclear = false;
  let turn: Promise<unknown> = Promise.resolve();

  /** Remembers that a command may still be executed. */
  const sent = async <T>(command: Promise<T>): Promise<T> => {
    try {
      return await command;
    } catch (error) {
      if (!isRefusal(error)) isUnclear = true;
      throw error;
    }
  };
  const begin = (): Promise<unknown> => {
    if (begun === undefined) {
      parts.begun(id);
      const update = { $setOnInsert: { state: 'open' as const }, $currentDate: { at: true as const } };
      const unflushedRecords = db.collection<StoredTransaction>(TRANSACTIONS, unflushed);
      begun = sent(unflushedRecords.updateOne({ _id: id }, update, { ...systemCommandOptions, upsert: true }));
    }
    return begun;
  };
  const requireOpen = (): void => {
    if (state !== 'open') throw new Locked();
  };

  const lock: Transaction['lock'] = async (keys) => {
    requireOpen();
    const names = new Map(keys.map((key) => [nameOf(key), key]));
    const missing = [...names].filter(([name]) => !held.has(name)).toSorted(([, a], [, b]) => compareKeys(a, b));
    if (missing.length > 0) {
      const entered: string[] = [];
      try {
        for (const [name] of missing) {
          if (queue.has(name)) count('waits');
          const outcome = await queue.enter(name, id, parts.patience);
          if (outcome !== 'entered') throw new Locked(outcome === 'late');
          entered.push(name);
        }
        const deadline = deadlineIn(held.size > 0 ? HOLDING_MS * (0.5 + Math.random()) : parts.patience);
        const [, entries] = await Promise.all([
          begin(),
          lockStored(
            missing.map(([, key]) => key),
            deadline,
          ),
        ]);
        for (const entry of entries) held.set(nameOf(entry.key), entry);
        queue.touch(id);
      } catch (error) {
        for (const name of entered) queue.leave(name, id);
        throw error;
      }
    }
    return keys.map(visible);
  };
  const visible = (key: EntryKey): Document | undefined => {
    const entry = held.get(nameOf(key));
    return entry?.lock?.removed === true ? undefined : entry?.document;
  };

  /**
   * Locks all of these entries, or none; entries that do not exist are not locked. While it waits for one, it keeps those before it: so of two
   * transactions one always goes on.
   */
  const lockStored = async (keys: readonly EntryKey[], deadline: Deadline): Promise<readonly Held[]> => {
    const rest = growingPauses(parts.pause);
    const locked: Held[] = [];
    try {
      for (let isFirst = true; ; isFirst = false) {
        const left = keys.slice(locked.length);
        const groups = [...groupBy(left, ({ collection }) => collection)];
        const found = (await Promise.all(groups.map(([name, own]) => lockIn(name, own)))).flat();
        const blocked = found.findIndex(({ document, lock: own }) => document !== undefined && own?.by !== id);
        locked.push(...found.slice(0, blocked < 0 ? found.length : blocked));
        const entry = found[blocked];
        if (entry === undefined) return locked;
        if (isFirst) count('waits');
        await sent(unlock(found.slice(blocked)));
        const isFree = entry.lock === undefined || (await settling.meet(entry.lock.by, entry.key));
        if (deadline.left(entry.lock?.by) === 0) throw new Locked(held.size === 0);
        if (!isFree) await rest();
      }
    } catch (error) {
      await unlock(locked).catch(() => undefined);
      throw error;
    }
  };
  const lockIn = async (name: string, keys: readonly EntryKey[]): Promise<readonly Held[]> => {
    const collection = entriesOf(db, name);
    const locking = { $set: { [LOCK]: { by: id } } };
    const options = { maxTimeMS, promoteValues: false } as const;
    const [key] = keys;
    if (keys.length === 1 && key !== undefined) {
      const filter = { _id: key.id };
      const before = await sent(collection.findOneAndUpdate({ ...filter, ...unlocked }, locking, options));
      const document =
        before ?? (await collection.findOne(filter, { ...options, readPreference: 'primary' })) ?? undefined;
      const own = before === null ? document && lockOf(document) : { by: id };
      return [heldOf(key, document, own)];
    }
    const filter = { _id: { $in: keys.map((one) => one.id) } };
    await sent(collection.updateMany({ ...filter, ...unlocked }, locking, { maxTimeMS }));
    const stored = await collection.find(filter, { ...options, readPreference: 'primary' }).toArray();
    const byId = new Map(stored.map((document) => [Number(document._id as unknown), document]));
    return keys.map((one) => {
      const document = byId.get(one.id);
      return heldOf(one, document, document && lockOf(document));
    });
  };
  const unlock = async (entries: readonly Held[]): Promise<void> => {
    const keys = entries.flatMap(({ key, lock: own }) => (own?.by === id ? [key] : []));
    for (const [name, own] of groupBy(keys, ({ collection }) => collection)) {
      const filter = { _id: { $in: own.map((key) => key.id) }, ...lockedBy(id) };
      await entriesOf(db, name).updateMany(filter, { $unset: { [LOCK]: '' } }, { maxTimeMS });
    }
  };

  const apply: Transaction['apply'] = async (all) => {
    requireOpen();
    if (all.length === 0) return;
    await begin();
    await sent(logEntries(all));
    let isApplied = false;
    try {
      for (const group of runsOf(all)) {
        // Of a group, some may be applied when one is refused.
        isApplied ||= group.length > 1;
        await sent(applyTogether(group));
        queue.touch(id);
        isApplied = true;
      }
    } catch (error) {
      if (isApplied || !isRefusal(error)) state = 'failed';
      throw error;
    }
  };
  const logEntries = async (all: readonly EntryChange[]): Promise<void> => {
    const added = new Map<string, UndoRecord>();
    for (const change of all) {
      const { collection, id: entry, uid } = change;
      const name = nameOf(change);
      const own = held.get(name);
      if (own?.isLogged === true || created.has(name) || added.has(name)) continue;
      const document = change.kind === 'insert' ? null : (own?.document ?? null);
      added.set(name, { _id: undoId(id, change), collection, id: entry, document, ...(uid !== undefined && { uid }) });
    }
    if (added.size === 0) return;
    await log.insertMany([...added.values()], systemCommandOptions);
    // Whoever aborts this transaction has read the log before that, and would not restore what is applied now.
    const options = { ...systemCommandOptions, projection: { _id: 1 }, readPreference: 'primary' } as const;
    if ((await records.findOne({ _id: id, state: 'open' }, options)) === null) throw new Locked();
    for (const [name, { document }] of added) {
      const own = held.get(name);
      if (own !== undefined) own.isLogged = true;
      if (document === null) created.add(name);
    }
  };
  /** Changes of one kind, in one collection. */
  const applyTogether = async (group: readonly EntryChange[]): Promise<void> => {
    const [first] = group;
    if (first === undefined) return;
    const collection = entriesOf(db, first.collection);
    const operations = group.map((change) => operationOf(change, id));
    const [only] = operations;
    const matched =
      operations.length === 1 && only !== undefined
        ? await applyOne(collection, only, maxTimeMS)
        : await collection
            .bulkWrite(operations, { maxTimeMS })
            .then((result) => result.matchedCount + result.insertedCount);
    for (const change of group) remember(change);
    // Another process has taken the locks away.
    if (matched < group.length) throw new Locked();
  };
  const remember = (change: EntryChange): void => {
    const name = nameOf(change);
    const { collection, id: entry } = change;
    const own = held.get(name) ?? {
      key: { collection, id: entry },
      document: undefined,
      lock: undefined,
      isLogged: true,
    };
    const former = own.lock ?? { by: id };
    if (change.kind === 'insert') {
      own.document = change.document;
      own.lock = { by: id, isNew: true, changed: true };
    } else if (change.kind === 'update') {
      own.document = withFields(own.document ?? {}, change.fields);
      own.lock = { ...former, changed: true };
    } else {
      own.lock = { ...former, changed: true, removed: true };
      steps.push({ kind: 'remove', collection, ids: [entry] });
    }
    held.set(name, own);
  };

  const run = async (works: readonly (() => unknown)[]): Promise<void> => {
    for (const work of works)
      await Promise.resolve()
        .then(work)
        .catch(() => undefined);
  };
  const leaveQueue = (): void => {
    queue.touch(id);
    for (const name of held.keys()) queue.leave(name, id);
  };
  const keysHeld = (): readonly EntryKey[] =>
    [...held.values()].flatMap(({ key, lock: own }) => (own?.by === id ? [key] : []));
  /** Does what follows the end; repeated soon if an error interrupts it. */
  const end = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
      parts.ended(id);
    } catch {
      parts.leave(id, work);
    }
    leaveQueue();
  };
  const finish = async (): Promise<void> => {
    await settling.finish(id, { steps, changes }, keysHeld());
    await settling.forget(id);
  };
  const undo = async (): Promise<void> => {
    const aborting = { $set: { state: 'aborted' as const }, $currentDate: { at: true as const } };
    const { matchedCount } = await records.updateOne({ _id: id, state: 'open' }, aborting, systemCommandOptions);
    // A commit without an answer may have arrived in the meantime.
    if (matchedCount === 0 && (await findState()) === 'committed') return finish();
    await settling.undo(id, keysHeld());
    // What is still on its way finds the record, and is undone later.
    if (!isUnclear) await settling.forget(id);
  };
  const findState = async (): Promise<StoredTransaction['state'] | undefined> =>
    (await records.findOne({ _id: id }, { ...systemCommandOptions, readPreference: 'primary' }))?.state;
  /** Ends a transaction whose commit had no answer. Only this process deletes its record: without one it has ended. */
  const endUnclear = async (): Promise<void> => {
    if ((await findState()) !== undefined) await undo();
  };

  const commit: Transaction['commit'] = async () => {
    if (state === 'committed') return;
    if (state !== 'open') {
      // A statement failed, and the work went on.
      await abort();
      throw new Locked();
    }
    if (begun === undefined && steps.length === 0) {
      state = 'committed';
      return run(following.commit);
    }
    await begin();
    const after = steps.length > 0 ? { after: encodeSteps(steps) } : {};
    const set = { state: 'committed' as const, ...after, ...(changes.length > 0 && { changes }) };
    let isCommitted: boolean;
    try {
      const committed = records.updateOne(
        { _id: id, state: 'open' },
        { $set: set, $currentDate: { at: true } },
        systemCommandOptions,
      );
      isCommitted = (await committed).matchedCount > 0;
    } catch (error) {
      state = 'unclear';
      isUnclear = true;
      parts.leave(id, endUnclear);
      leaveQueue();
      throw error;
    }
    if (!isCommitted) {
      isUnclear = true;
      await abort();
      throw new Locked();
    }
    state = 'committed';
    await end(finish);
    await run(following.commit);
  };
  const abort: Transaction['abort'] = async () => {
    if (state !== 'open' && state !== 'failed') return;
    state = 'aborted';
    if (begun !== undefined) {
      count('aborts');
      await end(undo);
    }
    await run(following.abort.toReversed()).catch(() => undefined);
  };

  return {
    id,
    get state() {
      return state;
    },
    begin: async () => void (await begin()),
    lock,
    apply,
    removed: (collection) =>
      [...held.values()].flatMap(({ key, lock: own }) =>
        key.collection === collection && own?.removed === true ? [key.id] : [],
      ),
    after: (added, changed = []) => {
      steps.push(...added);
      changes.push(...changed);
    },
    inTurn: (statement) => {
      const next = turn.then(statement, statement);
      turn = next.catch(() => undefined);
      return next;
    },
    onCommit: (work) => void following.commit.push(work),
    onAbort: (work) => void following.abort.push(work),
    commit,
    abort,
  };
}

const heldOf = (key: EntryKey, document: Document | undefined, lock: EntryLock | undefined): Held => ({
  key,
  document: document && withoutLock(document),
  lock,
  isLogged: false,
});

/** All transactions lock entries in this order. */
const compareKeys = (a: EntryKey, b: EntryKey): number =>
  a.collection === b.collection ? a.id - b.id : a.collection < b.collection ? -1 : 1;

/** Changes that follow each other and can be sent in one command. */
function runsOf(changes: readonly EntryChange[]): readonly (readonly EntryChange[])[] {
  const runs: EntryChange[][] = [];
  for (const change of changes) {
    const last = runs.at(-1);
    const isSame = last?.[0]?.collection === change.collection && last.length < MOST;
    if (isSame) last.push(change);
    else runs.push([change]);
  }
  return runs;
}

/** Changes in one command. */
const MOST = 1000;

function operationOf(change: EntryChange, by: string): AnyBulkWriteOperation<{ _id: number }> {
  const filter = { _id: change.id, ...changeableBy(by) };
  switch (change.kind) {
    case 'insert': {
      const document = { ...change.document, _id: change.id, [LOCK]: { by, isNew: true, changed: true } };
      return { insertOne: { document } };
    }
    case 'update':
      return { updateOne: { filter, update: updateOf(change.fields) } };
    case 'remove':
      return { updateOne: { filter, update: { $set: { [`${LOCK}.removed`]: true, [`${LOCK}.changed`]: true } } } };
    default:
      return change satisfies never;
  }
}

function updateOf(fields: FieldChanges): Document {
  const entries = [...fields];
  const set = entries.filter(([, value]) => value !== undefined);
  const unset = entries.filter(([, value]) => value === undefined).map(([name]) => [name, '']);
  return {
    $set: { ...Object.fromEntries(set), [`${LOCK}.changed`]: true },
    ...(unset.length > 0 && { $unset: Object.fromEntries(unset) as Document }),
  };
}

/** The driver's bulk writes name no duplicate as its single ones do. */
async function applyOne(
  collection: ReturnType<typeof entriesOf>,
  operation: AnyBulkWriteOperation<{ _id: number }>,
  maxTimeMS: number,
): Promise<number> {
  if ('insertOne' in operation) {
    await collection.insertOne(operation.insertOne.document as { _id: number }, { maxTimeMS });
    return 1;
  }
  if (!('updateOne' in operation)) throw new Error('an operation must insert or update');
  const { filter, update } = operation.updateOne;
  return (await collection.updateOne(filter, update, { maxTimeMS })).matchedCount;
}

export function withFields(document: Document, fields: FieldChanges): Document {
  const changed = { ...document, ...Object.fromEntries(fields) };
  return Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined));
}
