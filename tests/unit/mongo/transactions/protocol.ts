/**
 * The protocol of `src/mongo/transactions`, as programs that send one command at a time to a small database.
 * `explore.ts` executes them in every order, `scenarios.ts` says which, and what must hold in the end. Change the
 * protocol here first.
 */

/** An entry holds the names of the writes that are done in it. */
export interface Entry {
  readonly done: readonly string[];
  /** The entry that it links to. */
  readonly link?: string | undefined;
  readonly lock?: Lock;
}

interface Lock {
  readonly by: string;
  /** The transaction created the entry. */
  readonly isNew?: true;
  /** The transaction has changed the entry. */
  readonly changed?: true;
  /** The entry has its former value again, and no other one until it is unlocked. */
  readonly undone?: true;
}

interface Transaction {
  readonly state: 'open' | 'committed' | 'aborted';
  /** What follows the commit. */
  readonly after: readonly After[];
}

/** Each of these has the same effect when it is repeated. */
type After = { readonly remove: string } | { readonly publish: string };

export interface Database {
  readonly entries: Readonly<Record<string, Entry>>;
  readonly transactions: Readonly<Record<string, Transaction>>;
  /** The entries as they were when they were locked, by transaction and entry; `null` for a new one. */
  readonly undo: Readonly<Record<string, Readonly<Record<string, Entry | null>>>>;
  /** Events and responses that followed a commit. */
  readonly published: readonly string[];
  /**
   * Processes that have not renewed themselves: they have died, or seem to have. Each has the name of its transaction.
   */
  readonly silent: readonly string[];
}

/** A command is atomic. Its outcomes are the database after it with the reply; while it has none, its process waits. */
export interface Command {
  readonly name: string;
  readonly isRead: boolean;
  readonly outcomesIn: (db: Database) => readonly Outcome[];
}
export type Outcome = readonly [db: Database, reply: unknown];

/**
 * A program sends commands and receives replies; the result is what its caller is told. A command that fails throws
 * `Failed`.
 */
export type Program = Generator<Command, 'done' | 'refused' | Continuation, unknown>;
/** What a program goes on with, whatever has led to it. */
export interface Continuation {
  readonly name: string;
  readonly program: () => Program;
}
type Steps<T = void> = Generator<Command, T>;
export class Failed extends Error {}

/** Rules that can be broken on purpose. */
export type Rule =
  | 'apply with the lock'
  | 'write alone without a lock'
  | 'commit if open'
  | 'log before apply'
  | 'follow-up with the commit'
  | 'undo before unlock'
  | 'restore all before unlock'
  | 'unlock if unchanged'
  | 'remove new entries'
  | 'unlock before the record goes'
  | 'undo log before the record'
  | 'keep the record for its process'
  | 'clear what was undone'
  | 'restore with the lock'
  | 'lock the target'
  | 'fence what is undone'
  | 'open after the log'
  | 'hold only what is locked'
  | 'look again after a refusal'
  | 'outcome after the abort';

export const protocolWithout = (broken: readonly Rule[]) => {
  const holds = (rule: Rule): boolean => !broken.includes(rule);

  const commands = commandsOf(holds);

  /** Finishes a transaction that is committed or aborted; any number of processes may do it at once, and repeat it. */
  function* finish(t: string, { state, after }: Pick<Transaction, 'state' | 'after'>): Steps {
    if (!holds('unlock before the record goes') && state === 'committed') yield commands.forget(t);
    const log: Readonly<Record<string, Entry | null>> = yield commands.logOf(t);
    if (state === 'committed') for (const one of after) yield* follow(t, one);
    else yield* undo(t, log);
    for (const [id, former] of Object.entries(log))
      if (state === 'committed' || former !== null) yield commands.unlock(t, id);
    if (!holds('undo log before the record')) yield commands.forget(t);
    // The process may still log other entries, and new ones may arrive later: they are left for the next one.
    const cleared = Object.keys(log).filter((id) => state === 'committed' || log[id] !== null);
    yield commands.clear(t, holds('clear what was undone') ? cleared : undefined);
    if (!holds('keep the record for its process')) yield commands.forget(t);
  }

  function* follow(t: string, after: After): Steps {
    if ('publish' in after) {
      yield commands.publish(after.publish);
      return;
    }
    yield commands.remove(t, after.remove);
    yield commands.removeLinks(t, after.remove);
    for (;;) {
      const alone: readonly (readonly [string, Lock | undefined])[] = yield commands.linksTo(after.remove);
      if (alone.length === 0) return;
      for (const [id, found] of alone) if (found !== undefined && found.by !== t) yield* meet(id, found, true);
      yield commands.removeLinks(t, after.remove);
    }
  }

  /** All entries have their former values before the first one is unlocked. */
  function* undo(t: string, log: Readonly<Record<string, Entry | null>>): Steps {
    for (const [id, former] of Object.entries(log)) {
      if (former === null && holds('remove new entries')) yield commands.remove(t, id);
      if (former === null) continue;
      if (!holds('undo before unlock')) yield commands.unlock(t, id);
      yield holds('undo before unlock') ? commands.restore(t, id, former) : commands.overwrite(id, former);
      if (!holds('restore all before unlock')) yield commands.unlock(t, id);
    }
  }

  /** Whoever meets a lock finishes its transaction or waits for it; false if he gives up. */
  function* meet(id: string, { by, isNew }: Lock, mayWait: boolean): Steps<boolean> {
    let transaction: Transaction | 'none' | 'alive' = yield commands.inspect(by, mayWait);
    if (transaction === 'none') {
      // The record may arrive meanwhile.
      yield commands.refuse(by);
      if (holds('look again after a refusal')) transaction = yield commands.inspect(by, mayWait);
    }
    if (transaction === 'alive') return false;
    const ended = transaction === 'none' ? ({ state: 'aborted', after: [] } as const) : transaction;
    yield* finish(by, ended);
    // Not logged: nothing was applied yet, or it arrived after the transaction was undone.
    if (ended.state === 'committed') yield commands.unlock(by, id);
    else if (isNew) yield holds('remove new entries') ? commands.remove(by, id) : commands.unlock(by, id);
    else yield commands.unlockUnchanged(by, id);
    return true;
  }

  function* lock(t: string, id: string, holdsOthers: boolean): Steps<Entry | undefined> {
    for (;;) {
      const locked: Entry | undefined = yield commands.lock(t, id);
      if (locked !== undefined) return locked;
      const found: Entry | undefined = yield commands.read(id);
      if (found === undefined) return undefined;
      if (found.lock === undefined && !holds('hold only what is locked')) return found;
      // Two that hold locks would wait for each other.
      if (found.lock !== undefined && !(yield* meet(id, found.lock, !holdsOthers))) return undefined;
    }
  }

  /** Executes operations one after the other, each on what the former ones left. */
  function* execute(t: string, operations: readonly Operation[]): Steps<readonly After[] | undefined> {
    const held = new Map<string, Entry>();
    const after: After[] = [];
    // The names of all new entries are known from the beginning, and logged together.
    const log = operations.flatMap(({ create }) => (create === undefined ? [] : [commands.log(t, create, null)]));
    for (const { change = [], create, remove, take } of operations) {
      const target = take === undefined || !holds('lock the target') ? [] : [take[1]];
      const present = function* (): Steps<readonly string[]> {
        if (take === undefined) return [];
        const holder: string | undefined = yield commands.holderOf(take[1]);
        return holder === undefined || holder === take[0] ? [] : [holder];
      };
      const changed = [...change, ...(remove === undefined ? [] : [remove]), ...(take === undefined ? [] : [take[0]])];
      const former: string[] = [];
      const toLock = [...changed, ...target];
      for (let index = 0; index < toLock.length; index += 1) {
        const id = toLock[index] as string;
        if (!held.has(id)) {
          const entry = yield* lock(t, id, held.size > 0);
          // Others may meet the first lock before the record is there.
          if (held.size === 0) yield commands.begin(t);
          if (entry === undefined) return undefined;
          held.set(id, entry);
          // It is only locked.
          if (id !== remove) former.push(id);
        }
        // The present holder cannot change once the target is locked.
        if (index === changed.length + target.length - 1) toLock.push(...(yield* present()));
      }
      log.push(...former.map((id) => commands.log(t, id, held.get(id) as Entry)));
      const apply = change.map((id) => {
        const done = [...(held.get(id) as Entry).done, t];
        held.set(id, { done });
        return commands.apply(t, id, { done });
      });
      if (remove !== undefined) after.push({ remove });
      if (take !== undefined) {
        const [from, to] = take;
        for (const id of toLock.slice(changed.length + target.length))
          apply.push(commands.apply(t, id, { link: undefined }));
        apply.push(commands.apply(t, from, { link: to }));
      }
      // A new entry is removed whenever it arrives.
      if (former.length > 0 && holds('open after the log')) log.push(commands.isOpen(t));
      const logged = log.splice(0);
      for (const command of holds('log before apply') ? [...logged, ...apply] : interleave(apply, logged))
        if (!(yield command)) return undefined;
      if (create !== undefined) {
        const done = [t, ...change.flatMap((id) => (held.get(id) as Entry).done.map((name) => `${id}:${name}`))];
        yield commands.insert(t, create, done);
        held.set(create, { done });
      }
    }
    return after;
  }

  function* transaction({ name: t, operations, publishes = false, rollsBack = false }: Plan): Program {
    try {
      const removals = yield* execute(t, operations);
      if (removals !== undefined && !rollsBack) {
        const after = [
          ...removals,
          ...(publishes ? [{ publish: `event of ${t}` }, { publish: `response of ${t}` }] : []),
        ];
        yield commands.commit(t, holds('follow-up with the commit') ? after : []);
        if (!holds('follow-up with the commit')) for (const one of after) yield* follow(t, one);
      }
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
    }
    return { name: `end ${t}`, program: () => end(t) };
  }

  function* end(t: string): Program {
    for (;;) {
      try {
        const before = holds('outcome after the abort') ? undefined : ((yield commands.stateOf(t)) as Transaction);
        // The record tells whether a commit without a reply was executed: nobody else removes it.
        const after = (yield commands.abort(t)) as Transaction;
        const record = before ?? after;
        if (record.state === 'committed') return { name: `finish ${t}`, program: () => finished(t, record) };
        // It stays, so that late commands are recognised.
        yield* finish(t, record);
        return 'refused';
      } catch (error) {
        if (!(error instanceof Failed)) throw error;
      }
    }
  }

  function* finished(t: string, record: Transaction): Program {
    for (;;) {
      try {
        yield* finish(t, record);
        yield commands.forget(t);
        return 'done';
      } catch (error) {
        if (!(error instanceof Failed)) throw error;
      }
    }
  }

  /** A write of one document, which waits for locks. */
  function* single(name: string, id: string): Program {
    for (;;) {
      if (yield commands.write(name, id)) return 'done';
      const found = (yield commands.read(id)) as Entry | undefined;
      if (found === undefined) return 'refused';
      if (found.lock !== undefined) yield* meet(id, found.lock, true);
    }
  }

  /** A write of one document that links to another one. */
  function* link(id: string, target: string): Program {
    for (;;) {
      const found = (yield commands.read(target)) as Entry | undefined;
      if (found === undefined) return 'refused';
      if (found.lock?.isNew) {
        yield* meet(target, found.lock, true);
        continue;
      }
      if (yield commands.setLink(id, target)) {
        yield commands.checkTarget(id, target);
        return 'done';
      }
      const own = (yield commands.read(id)) as Entry | undefined;
      if (own === undefined) return 'refused';
      if (own.lock !== undefined) yield* meet(id, own.lock, true);
    }
  }

  /** A process that meets the lock of an entry. */
  function* recovery(id: string): Program {
    const { lock } = (yield commands.findLocked(id)) as Required<Entry>;
    yield* meet(id, lock, true);
    return 'done';
  }

  /** What every lock and every record meets in the end. */
  function* sweep(db: Database): Program {
    const recorded = Object.keys(db.transactions);
    const locking = Object.values(db.entries).flatMap(({ lock: found }) => (found === undefined ? [] : [found.by]));
    for (const t of recorded) yield* finish(t, (yield commands.abort(t)) as Transaction);
    for (let round = 0; round < 3; round += 1) {
      for (const id of Object.keys(db.entries)) {
        const found = (yield commands.read(id)) as Entry | undefined;
        if (found?.lock !== undefined) yield* meet(id, found.lock, true);
      }
    }
    // An hour later.
    for (const t of new Set([...recorded, ...locking])) {
      yield commands.clear(t, undefined);
      yield commands.forget(t);
    }
    return 'done';
  }

  return { transaction, single, link, recovery, sweep };
};

/** An operation of a transaction. */
export interface Operation {
  /** Adds its name to these entries. */
  readonly change?: readonly string[];
  /** Creates an entry with what the changed ones hold. */
  readonly create?: string;
  readonly remove?: string;
  /** The first one links to the second one, and whoever did so before no longer does. */
  readonly take?: readonly [string, string];
}

export interface Plan {
  readonly name: string;
  readonly operations: readonly Operation[];
  /** Has an event and the response of an idempotency key. */
  readonly publishes?: boolean;
  readonly rollsBack?: boolean;
}

const interleave = (some: readonly Command[], others: readonly Command[]): readonly Command[] =>
  some.flatMap((one, index) => [one, ...others.slice(index, index + 1)]).concat(others.slice(some.length));

/** The commands: what they find, what they change, and their reply. */
function commandsOf(holds: (rule: Rule) => boolean) {
  const command = (name: string, run: (db: Database) => Outcome | undefined, isRead = false): Command => ({
    name,
    isRead,
    outcomesIn: (db) => {
      const outcome = run(db);
      return outcome === undefined ? [] : [outcome];
    },
  });
  const entryIn = (db: Database, id: string, entry: Entry | undefined): Database => ({
    ...db,
    entries: withKey(db.entries, id, entry),
  });
  /** Changes an entry that a filter finds; undefined removes it. The reply is whether it was found. */
  const update = (
    name: string,
    id: string,
    finds: (entry: Entry) => boolean,
    change: (entry: Entry) => Entry | undefined,
  ): Command =>
    command(`${name} ${id}`, (db) => {
      const entry = db.entries[id];
      return entry !== undefined && finds(entry) ? [entryIn(db, id, change(entry)), true] : [db, false];
    });
  /** The reply does not matter. */
  const silently = ({ name, isRead, outcomesIn }: Command): Command => ({
    name,
    isRead,
    outcomesIn: (db) => outcomesIn(db).map(([after]) => [after, undefined]),
  });
  const isFree = ({ lock }: Entry): boolean => lock === undefined;
  const isLockedBy =
    (t: string) =>
    ({ lock }: Entry): boolean =>
      lock?.by === t;
  const unlocked = ({ done, link }: Entry): Entry => ({ done, ...(link !== undefined && { link }) });
  const withoutLink = ({ done, lock }: Entry): Entry => ({ done, ...(lock !== undefined && { lock }) });
  const withState = (db: Database, t: string, record: Transaction | undefined): Database => ({
    ...db,
    transactions: withKey(db.transactions, t, record),
  });

  return {
    begin: (t: string) =>
      command(`begin ${t}`, (db) => [withState(db, t, db.transactions[t] ?? { state: 'open', after: [] }), true]),
    /** A transaction that is not recorded yet cannot be committed any more. */
    refuse: (t: string) =>
      command(`refuse ${t}`, (db) => [withState(db, t, db.transactions[t] ?? { state: 'aborted', after: [] }), true]),
    stateOf: (t: string) =>
      command(`state of ${t}`, (db) => [db, db.transactions[t] ?? { state: 'aborted', after: [] }], true),
    lock: (t: string, id: string) =>
      command(`${t} locks ${id}`, (db) => {
        const entry = db.entries[id];
        return entry !== undefined && isFree(entry)
          ? [entryIn(db, id, { ...entry, lock: { by: t } }), entry]
          : [db, undefined];
      }),
    log: (t: string, id: string, former: Entry | null) =>
      command(`${t} logs ${id}`, (db) => [{ ...db, undo: { ...db.undo, [t]: { ...db.undo[t], [id]: former } } }, true]),
    apply: (t: string, id: string, change: { readonly done?: readonly string[]; readonly link?: string | undefined }) =>
      update(
        `${t} changes`,
        id,
        ({ lock }) => !holds('apply with the lock') || (lock?.by === t && lock.undone === undefined),
        ({ lock, ...entry }) => ({
          ...entry,
          ...change,
          ...(lock !== undefined && { lock: { ...lock, changed: true } }),
        }),
      ),
    insert: (t: string, id: string, done: readonly string[]) =>
      command(`${t} inserts ${done.join('+')} as ${id}`, (db) => [
        entryIn(db, id, { done, lock: { by: t, isNew: true, changed: true } }),
        true,
      ]),
    commit: (t: string, after: readonly After[]) =>
      command(`commit ${t}`, (db) =>
        db.transactions[t]?.state === 'open' || !holds('commit if open')
          ? [withState(db, t, { state: 'committed', after }), true]
          : [db, false],
      ),
    isOpen: (t: string) => command(`is ${t} open`, (db) => [db, db.transactions[t]?.state === 'open'], true),
    /** Aborts it if it is open; the reply is its record. */
    abort: (t: string) =>
      command(`abort ${t}`, (db) => {
        const record = db.transactions[t];
        // It may still arrive, but its process does not renew it any more.
        if (record === undefined)
          return [
            { ...db, silent: [...new Set([...db.silent, t])].toSorted() },
            { state: 'aborted', after: [] },
          ];
        const next = { ...record, state: record.state === 'open' ? 'aborted' : record.state } as const;
        return [withState(db, t, next), next];
      }),
    /**
     * The record of a transaction that somebody met. It is aborted if its process is silent; as long as the process is
     * alive he waits, or gives up.
     */
    inspect: (t: string, mayWait: boolean) =>
      command(`inspect ${t}`, (db) => {
        const record = db.transactions[t];
        if (record === undefined) return [db, 'none'];
        if (record.state !== 'open') return [db, record];
        if (db.silent.includes(t))
          return [withState(db, t, { ...record, state: 'aborted' }), { ...record, state: 'aborted' }];
        return mayWait ? undefined : [db, 'alive'];
      }),
    logOf: (t: string) => command(`log of ${t}`, (db) => [db, db.undo[t] ?? {}], true),
    clear: (t: string, ids: readonly string[] | undefined) =>
      command(`clear ${ids?.join('+') ?? 'all'} of ${t}`, (db) => {
        const left = Object.entries(db.undo[t] ?? {}).filter(([id]) => !(ids?.includes(id) ?? true));
        return [{ ...db, undo: withKey(db.undo, t, left.length === 0 ? undefined : Object.fromEntries(left)) }, true];
      }),
    forget: (t: string) => command(`forget ${t}`, (db) => [withState(db, t, undefined), true]),
    unlock: (t: string, id: string) => silently(update(`${t} unlocks`, id, isLockedBy(t), unlocked)),
    unlockUnchanged: (t: string, id: string) =>
      silently(
        update(
          `${t} unlocks unchanged`,
          id,
          ({ lock }) => lock?.by === t && (!lock.changed || !holds('unlock if unchanged')),
          unlocked,
        ),
      ),
    restore: (t: string, id: string, former: Entry) =>
      silently(
        update(`${t} restores`, id, holds('restore with the lock') ? isLockedBy(t) : () => true, ({ lock }) => ({
          ...former,
          ...(lock && { lock: { ...lock, ...(holds('fence what is undone') && { undone: true as const }) } }),
        })),
      ),
    overwrite: (id: string, former: Entry) =>
      silently(
        update(
          'overwrite',
          id,
          () => true,
          ({ lock }) => ({ ...unlocked(former), ...(lock && { lock }) }),
        ),
      ),
    remove: (t: string, id: string) => silently(update(`${t} removes`, id, isLockedBy(t), () => undefined)),
    /** It leaves entries alone that others have locked. */
    removeLinks: (t: string, target: string) =>
      command(`${t} removes links to ${target}`, (db) => {
        const isChanged = (entry: Entry): boolean => entry.link === target && (isFree(entry) || isLockedBy(t)(entry));
        const changed = Object.entries(db.entries).map(
          ([id, entry]) => [id, isChanged(entry) ? withoutLink(entry) : entry] as const,
        );
        return [{ ...db, entries: Object.fromEntries(changed) }, true];
      }),
    linksTo: (target: string) =>
      command(
        `links to ${target}`,
        (db) => [
          db,
          Object.entries(db.entries).flatMap(([id, { link, lock }]) => (link === target ? [[id, lock]] : [])),
        ],
        true,
      ),
    checkTarget: (id: string, target: string) =>
      command(`check ${target} for ${id}`, (db) => {
        const entry = db.entries[id];
        const isDangling = entry?.link === target && db.entries[target] === undefined;
        return [isDangling ? entryIn(db, id, withoutLink(entry)) : db, true];
      }),
    publish: (what: string) =>
      command(`publish ${what}`, (db) => [
        { ...db, published: [...new Set([...db.published, what])].toSorted() },
        true,
      ]),
    write: (name: string, id: string) =>
      update(`${name} writes`, id, holds('write alone without a lock') ? isFree : () => true, (entry) => ({
        ...entry,
        done: [...entry.done, name],
      })),
    setLink: (id: string, target: string) =>
      update(`link to ${target} from`, id, isFree, (entry) => ({ ...entry, link: target })),
    read: (id: string) => command(`read ${id}`, (db) => [db, db.entries[id]], true),
    holderOf: (target: string) =>
      command(
        `holder of ${target}`,
        (db) => [db, Object.keys(db.entries).find((id) => db.entries[id]?.link === target)],
        true,
      ),
    /** Waits until the entry is locked. */
    findLocked: (id: string) =>
      command(`meet ${id}`, (db) => {
        const entry = db.entries[id];
        return entry?.lock === undefined ? undefined : [db, { lock: entry.lock }];
      }),
  };
}

function withKey<T>(
  record: Readonly<Record<string, T>>,
  key: string,
  value: T | undefined,
): Readonly<Record<string, T>> {
  const { [key]: _, ...rest } = record;
  const entries = Object.entries(value === undefined ? rest : { ...rest, [key]: value });
  // Equal databases are equal texts.
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
