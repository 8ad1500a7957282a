import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { MongoClient, MongoError, MongoServerError, type Db, type Document } from 'mongodb';
import { AppError } from '../../src/errors/app-error.js';
import { unlocked, type EntryKey } from '../../src/mongo/transactions/format.js';
import { Transactions } from '../../src/mongo/transactions/transactions.js';
import { randomNumbers } from '../support/random-numbers.js';
import { scaled, seed } from '../support/scaled.js';
import { scheduledDatabase, type ScheduledDatabase } from '../support/scheduled-database.js';
import { testUri } from '../support/commands.js';
import {
  isSerial,
  nameOfEntry,
  seenOf,
  textOfAll,
  type Entries,
  type Executed,
  type Plan,
  type Statements,
} from './serial-model.js';

const COLLECTIONS = ['as', 'bs'];
const keys: readonly EntryKey[] = COLLECTIONS.flatMap((collection) => [1, 2, 3].map((id) => ({ collection, id })));
const PROCESSES = 3;

let client: MongoClient;
let db: Db;
/** Time passes only in pauses. */
let now = 0;
beforeAll(async () => {
  client = await MongoClient.connect(testUri('maxPoolSize', '8'));
  db = client.db('scheduled-transactions', { writeConcern: { w: 1, journal: false } });
  for (const name of COLLECTIONS)
    await db
      .collection(name)
      .createIndex({ code: 1 }, { unique: true, partialFilterExpression: { code: { $exists: true } } });
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  // Without heartbeats: a process seems dead when the schedule says so.
  jest.useFakeTimers({
    doNotFake: [
      'hrtime',
      'nextTick',
      'performance',
      'queueMicrotask',
      'setImmediate',
      'clearImmediate',
      'setTimeout',
      'clearTimeout',
      'Date',
    ],
  });
});
afterAll(async () => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  await db.dropDatabase();
  await client.close();
});

class RolledBack extends Error {}

/** Something random. */
interface Choices {
  below(limit: number): number;
  happens(probability: number): boolean;
  oneOf<T>(values: readonly T[]): T;
  some<T>(values: readonly T[], count: number): readonly T[];
}

function choicesFrom(random: () => number): Choices {
  const below = (limit: number): number => Math.floor(random() * limit);
  return {
    below,
    happens: (probability) => random() < probability,
    oneOf: <T>(values: readonly T[]) => values[below(values.length)] as T,
    some: (values, count) => {
      const left = [...values];
      return Array.from({ length: count }, () => left.splice(below(left.length), 1)).flat();
    },
  };
}

/** One to three statements: each changes some of the entries that it locks, creates or removes one, or links two. */
function makePlan(name: string, number: number, choices: Choices): Plan {
  if (choices.happens(0.3)) return { name, work: choices.oneOf(keys) };
  type Statement = (
    statements: Statements,
    see: (documents: readonly (Document | undefined)[]) => void,
  ) => Promise<void>;
  const created: EntryKey[] = [];
  const append = (among: readonly EntryKey[]): Statement => {
    const own = choices.some(among, 1 + choices.below(Math.min(3, among.length)));
    const changed = own.filter(() => choices.happens(0.7));
    return async (statements, see) => {
      const documents = await statements.lock(own);
      see(documents);
      await statements.apply(
        changed.flatMap((key) => {
          const document = documents[own.indexOf(key)];
          return document === undefined
            ? []
            : [{ ...key, kind: 'update', fields: new Map([['done', [...document['done'], name]]]) }];
        }),
      );
    };
  };
  const makers: readonly (() => Statement)[] = [
    () => append(keys),
    () => append([...keys, ...created]),
    () => {
      const key = { collection: choices.oneOf(COLLECTIONS), id: 100 + number * 10 + created.length };
      const source = choices.some(keys, 2);
      const code = choices.happens(0.3) ? { code: 'c' } : {};
      created.push(key);
      return async (statements, see) => {
        const documents = await statements.lock(source);
        see(documents);
        const read = documents.map((document) => (document === undefined ? 'none' : String(document['done'])));
        await statements.apply([{ ...key, kind: 'insert', document: { _id: key.id, done: [name], read, ...code } }]);
      };
    },
    () => {
      const key = choices.oneOf(keys);
      return async (statements, see) => {
        const [document] = await statements.lock([key]);
        see([document]);
        if (document === undefined) return;
        statements.remove(key.collection, [key.id]);
        statements.after(
          COLLECTIONS.map((collection) => ({
            kind: 'update',
            collection,
            filter: { link: nameOfEntry(key) },
            update: { $unset: { link: '' } },
          })),
        );
      };
    },
    () => {
      const [from, to] = choices.some(keys, 2) as [EntryKey, EntryKey];
      return async (statements, see) => {
        const documents = await statements.lock([from, to]);
        see(documents);
        if (documents.includes(undefined)) return;
        await statements.apply([{ ...from, kind: 'update', fields: new Map([['link', nameOfEntry(to)]]) }]);
      };
    },
  ];
  const statements = Array.from({ length: 1 + choices.below(3) }, () => choices.oneOf(makers)());
  const isRolledBack = choices.happens(0.15);
  return {
    name,
    work: async (transaction, seen) => {
      for (const statement of statements) await statement(transaction, (documents) => documents.forEach(seen));
      if (isRolledBack) throw new RolledBack();
    },
  };
}

interface Process {
  readonly name: string;
  readonly database: ScheduledDatabase;
  readonly transactions: Transactions;
  readonly ids: Set<string>;
  isDead: boolean;
  hasEnded: boolean;
}

const open = (name: string): Process => {
  const database = scheduledDatabase(db);
  const pause = (milliseconds: number): Promise<void> =>
    database.hold('pause', () => {
      now += milliseconds;
      return Promise.resolve();
    });
  const transactions = new Transactions({ db: database.db, timeout: 60_000, pause });
  return { name, database, transactions, ids: new Set(), isDead: false, hasEnded: false };
};

/** Executes a plan as a request does. */
async function execute(
  { database, transactions, ids }: Process,
  { name, work }: Plan,
): Promise<Pick<Executed, 'outcome' | 'seen'>> {
  let seen: string[] = [];
  let isWorkDone = false;
  try {
    if (typeof work === 'function') {
      await transactions.joinOrRepeat(async (transaction) => {
        ids.add(transaction.id);
        seen = [];
        isWorkDone = false;
        await work(transaction, (document) => seen.push(seenOf(document)));
        isWorkDone = true;
      });
      return { outcome: 'done', seen };
    }
    isWorkDone = true;
    for (;;) {
      const { matchedCount } = await database.db
        .collection<{ _id: number }>(work.collection)
        .updateOne({ _id: work.id, ...unlocked }, { $push: { done: name } });
      if (matchedCount > 0) return { outcome: 'done', seen };
      if (!(await transactions.awaitUnlocked([work]))) return { outcome: 'refused', seen };
    }
  } catch (error) {
    const isExpected = error instanceof RolledBack || error instanceof MongoError || error instanceof AppError;
    if (!isExpected) throw error;
    const isRefused = error instanceof MongoServerError || (error instanceof AppError && error.code === 'conflict');
    return { outcome: isWorkDone && !isRefused ? 'unknown' : 'refused', seen };
  }
}

/** All works have ended, or wait for a command. */
async function quiet(processes: readonly Process[]): Promise<void> {
  const areQuiet = (): boolean =>
    processes.every(({ isDead, hasEnded, database }) => isDead || hasEnded || database.held.size > 0);
  for (let turn = 0; turn < 2 || !areQuiet(); turn += 1) {
    if (turn > 100_000) throw new Error('a process waits for nothing');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/**
 * Executes random plans in random order, with processes that die or seem dead, and commands that fail, or arrive late.
 */
async function runSchedule(number: number): Promise<readonly string[]> {
  const choices = choicesFrom(randomNumbers(number));
  now = 0;
  const before = await restore();
  const trace: string[] = [];
  const executed: Executed[] = [];
  let step = 0;
  const processes = Array.from({ length: PROCESSES }, (_, index) => open(`p${index}`));
  const errors: unknown[] = [];
  const start = async (process: Process, plans: readonly Plan[]): Promise<void> => {
    for (const plan of plans) {
      const from = step;
      executed.push({ plan, outcome: 'unknown', seen: [], from, to: Infinity });
      const result = await execute(process, plan);
      trace.push(`${process.name}: ${plan.name} is ${result.outcome}`);
      const to = result.outcome === 'unknown' ? Infinity : step;
      executed[executed.findIndex((one) => one.plan === plan)] = { plan, ...result, from, to };
    }
    // As its heartbeat does.
    for (let left = 5; left > 0; left -= 1) {
      const isSettled = await process.transactions.finishInterrupted().then(
        () => true,
        () => false,
      );
      if (isSettled) break;
    }
    if (choices.happens(0.3)) await process.transactions.recover().catch(() => undefined);
  };
  processes.forEach((process, index) => {
    const plans = Array.from({ length: 1 + choices.below(2) }, (_, count) =>
      makePlan(`w${index}${count}`, index * 2 + count, choices),
    );
    void start(process, plans)
      .catch((error: unknown) => errors.push(error))
      .finally(() => {
        process.hasEnded = true;
      });
  });
  const late: (() => Promise<unknown>)[] = [];
  let current: Process | undefined;
  let faults = choices.below(4);
  for (;;) {
    await quiet(processes);
    const enabled = processes.filter(
      ({ isDead, hasEnded, database }) => !isDead && !hasEnded && database.held.size > 0,
    );
    if (enabled.length === 0) break;
    step += 1;
    if (late.length > 0 && choices.happens(0.1)) {
      trace.push('a late command arrives');
      await late.splice(choices.below(late.length), 1)[0]?.();
      continue;
    }
    // Mostly goes on with the same process.
    if (current === undefined || !enabled.includes(current) || choices.happens(0.3)) current = choices.oneOf(enabled);
    const { name, database } = current;
    const command = choices.oneOf([...database.held]);
    const fault =
      faults > 0 && choices.happens(0.06)
        ? choices.oneOf([
            'dies',
            'dies, late',
            'dies after',
            'fails',
            'fails, late',
            'has no reply',
            'seems dead',
            'seems dead',
          ])
        : undefined;
    if (fault !== undefined) faults -= 1;
    trace.push(`${name}${fault === undefined ? '' : ` ${fault}`}: ${command.name}`);
    switch (fault) {
      case undefined:
        await command.execute();
        break;
      case 'fails':
        command.delay();
        break;
      case 'fails, late':
        late.push(command.delay());
        break;
      case 'has no reply':
        await command.loseReply();
        break;
      case 'seems dead':
        await age([...current.ids]);
        current = choices.oneOf(enabled);
        break;
      default:
        current.isDead = true;
        if (fault === 'dies, late') late.push(command.delay());
        if (fault === 'dies after') await command.loseReply();
        await age([...current.ids]);
        current = undefined;
    }
  }
  if (errors.length > 0) throw errors[0];
  for (const arrive of late) await arrive();
  return (await judge(before, executed)).map((problem) => `${problem}\n  ${trace.join('\n  ')}`);
}

/** Lets the processes of these transactions seem dead. */
const age = async (ids: readonly string[]): Promise<void> => {
  await db
    .collection<{ _id: string }>('_transactions')
    .updateMany({ _id: { $in: [...ids] } }, { $set: { at: new Date(0) } });
};

const seeds = keys.map((key) => ({
  ...key,
  document: {
    _id: key.id,
    done: [] as string[],
    ...(key.id === 1 && { link: nameOfEntry({ collection: 'bs', id: 2 }) }),
  },
}));

async function restore(): Promise<Entries> {
  for (const name of ['_transactions', '_undo', ...COLLECTIONS]) await db.collection(name).deleteMany({});
  for (const collection of COLLECTIONS) {
    await db
      .collection<{ _id: number }>(collection)
      .insertMany(seeds.flatMap((one) => (one.collection === collection ? [one.document] : [])));
  }
  return new Map(seeds.map(({ document, ...key }) => [nameOfEntry(key), document]));
}

const readAll = async (): Promise<readonly (readonly [EntryKey, Document])[]> =>
  (
    await Promise.all(
      COLLECTIONS.map(async (collection) =>
        (await db.collection(collection).find().toArray()).map(
          (document) => [{ collection, id: Number(document._id) }, document] as const,
        ),
      ),
    )
  ).flat();

/** Recovers what is left, as a process does that starts later. */
async function judge(before: Entries, executed: readonly Executed[]): Promise<readonly string[]> {
  const transactions = new Transactions({ db, timeout: 60_000, pause: () => Promise.resolve() });
  await db.collection('_transactions').updateMany({}, { $set: { at: new Date(0) } });
  await transactions.recover();
  const locked = (await readAll()).filter(([, { _lock }]) => _lock != null);
  for (const [key] of locked) await transactions.awaitUnlocked([key]);
  await transactions.recover(true);
  const problems: string[] = [];
  for (const name of ['_transactions', '_undo']) {
    const left = await db.collection(name).find().toArray();
    if (left.length > 0) problems.push(`${name} has ${JSON.stringify(left)}`);
  }
  const after = await readAll();
  for (const [key, { _lock }] of after)
    if (_lock != null) problems.push(`${nameOfEntry(key)} stays locked: ${JSON.stringify(_lock)}`);
  const entries = new Map(after.map(([key, document]) => [nameOfEntry(key), document]));
  for (const [name, { link }] of entries)
    if (link !== undefined && !entries.has(link as string)) problems.push(`${name} links to ${link}, which is missing`);
  if (!(await isSerial(before, entries, executed))) {
    const outcomes = executed.map(({ plan, outcome, seen }) => `${plan.name} ${outcome} ${seen.join(' ')}`);
    problems.push(`the result is that of no serial execution:\n${textOfAll(entries)}\n${outcomes.join('\n')}`);
  }
  return problems;
}

/** The schedule to execute alone, out of a failure. */
const { TRANSACTIONS_SEED } = process.env;
const count = TRANSACTIONS_SEED === undefined ? scaled(30, 5000) : 1;

test(
  'transactions of several processes have the effect of a serial execution, whatever happens to their commands',
  async () => {
    for (let index = 0; index < count; index += 1) {
      const number = Number(TRANSACTIONS_SEED ?? seed * 1_000_000 + index);
      const problems = await runSchedule(number).catch((error: unknown) => [String((error as Error).stack)]);
      expect({ TRANSACTIONS_SEED: number, problems: problems.join('\n') }).toEqual({
        TRANSACTIONS_SEED: number,
        problems: '',
      });
    }
    // A schedule, of some hundreds of commands, takes a third of a second on a machine with nothing else to do.
  },
  Math.max(30_000, count * 6000),
);
