import type { Result, World } from './explore.js';
import { protocolWithout, type Database, type Entry, type Plan, type Program, type Rule } from './protocol.js';

/** A write that runs at the same time as others. */
type Write =
  | (Plan & { readonly kind: 'transaction'; /** What its process does before. */ readonly before?: Plan })
  | { readonly kind: 'single'; readonly name: string; readonly id: string }
  | { readonly kind: 'link'; readonly name: string; readonly id: string; readonly target: string };

export interface Scenario {
  readonly entries: Readonly<Record<string, Entry>>;
  readonly writes: readonly Write[];
  /** Others that meet the locks of these entries. */
  readonly recoveries?: readonly string[];
  readonly limits: Pick<World, 'crashes' | 'suspicions' | 'failures'>;
}

const empty: Entry = { done: [] };
const transaction = (plan: Plan) => ({ kind: 'transaction', ...plan }) as const;
const single = (name: string, id: string): Write => ({ kind: 'single', name, id });
const both = (name: string, entries: readonly string[], create: string): Write =>
  transaction({ name, operations: [{ change: entries, create }] });

const batch: Plan = { name: 't1', operations: [{ change: ['A'], create: 'N' }, { change: ['N', 'A', 'B'] }] };
const remove: Plan = { name: 't1', operations: [{ change: ['B'], remove: 'A' }], publishes: true };

export const scenarios: Readonly<Record<string, Scenario>> = {
  'two transactions that lock in the same order': {
    entries: { A: empty, B: empty },
    writes: [both('t1', ['A', 'B'], 'N'), both('t2', ['A', 'B'], 'M')],
    limits: { crashes: 1 },
  },
  'two transactions that lock in opposite orders': {
    entries: { A: empty, B: empty },
    writes: [both('t1', ['A', 'B'], 'N'), both('t2', ['B', 'A'], 'M')],
    limits: { crashes: 1 },
  },
  'two transactions of which one seems dead': {
    entries: { A: empty, B: empty },
    writes: [both('t1', ['A', 'B'], 'N'), both('t2', ['B', 'A'], 'M')],
    limits: { suspicions: 1 },
  },
  'a transaction that dies, and a write alone that waits': {
    entries: { A: empty, B: empty },
    writes: [both('t1', ['A', 'B'], 'N'), single('s', 'A')],
    recoveries: ['N'],
    limits: { crashes: 1 },
  },
  'a transaction that seems dead, and a write alone that waits': {
    entries: { A: empty, B: empty },
    writes: [both('t1', ['A', 'B'], 'N'), single('s', 'A')],
    limits: { suspicions: 1 },
  },
  'a transaction that seems dead before it dies, and two that meet it': {
    entries: { A: empty, B: empty },
    writes: [both('t1', ['A', 'B'], 'N')],
    recoveries: ['A', 'N'],
    limits: { crashes: 1, suspicions: 1 },
  },
  'a batch of two operations that dies, and a write alone': {
    entries: { A: empty, B: empty },
    writes: [transaction(batch), single('s', 'A')],
    limits: { crashes: 1 },
  },
  'a batch of two operations that seems dead, and a write alone': {
    entries: { A: empty, B: empty },
    writes: [transaction(batch), single('s', 'A')],
    limits: { suspicions: 1 },
  },
  'a batch whose last operation only creates, which seems dead, and a write alone': {
    entries: { A: empty },
    writes: [
      transaction({ name: 't1', operations: [{ change: ['A'], create: 'N' }, { create: 'M' }] }),
      single('s', 'A'),
    ],
    recoveries: ['M'],
    limits: { suspicions: 1 },
  },
  'a transaction that its own code rolls back': {
    entries: { A: empty, B: empty },
    writes: [
      transaction({ name: 't1', operations: [{ change: ['A', 'B'], create: 'N' }], rollsBack: true }),
      single('s', 'A'),
    ],
    limits: { crashes: 1, failures: 1 },
  },
  'a transaction whose commands fail, even its undo': {
    entries: { A: empty, B: empty },
    writes: [both('t1', ['A', 'B'], 'N'), single('s', 'B')],
    limits: { failures: 2 },
  },
  'a delete with an event and the response of a key, which dies, and a link to what is deleted': {
    entries: { A: empty, B: { done: [], link: 'A' }, C: empty },
    writes: [transaction(remove), { kind: 'link', name: 's', id: 'C', target: 'A' }],
    recoveries: ['B'],
    limits: { crashes: 1 },
  },
  'a delete that seems dead, and a transaction with a link to what is deleted that rolls back': {
    entries: { A: empty, B: { done: [], link: 'A' } },
    writes: [
      transaction({ name: 't1', operations: [{ remove: 'A' }] }),
      transaction({ name: 't2', operations: [{ change: ['B'] }], rollsBack: true }),
    ],
    limits: { suspicions: 1 },
  },
  'two that take the other side of a one-to-one link, of which one dies': {
    entries: { A: empty, B: empty, C: empty, D: { done: [], link: 'C' } },
    writes: [
      transaction({ name: 't1', operations: [{ take: ['A', 'C'] }] }),
      transaction({ name: 't2', operations: [{ take: ['B', 'C'] }] }),
    ],
    limits: { crashes: 1 },
  },
  'two that take the other side of a one-to-one link, of which one seems dead': {
    entries: { A: empty, B: empty, C: empty, D: { done: [], link: 'C' } },
    writes: [
      transaction({ name: 't1', operations: [{ take: ['A', 'C'] }] }),
      transaction({ name: 't2', operations: [{ take: ['B', 'C'] }] }),
    ],
    limits: { suspicions: 1 },
  },
  'two that take the other side of a one-to-one link, of which one is rolled back': {
    entries: { A: empty, B: empty, C: empty, D: { done: [], link: 'C' } },
    writes: [
      transaction({ name: 't1', operations: [{ take: ['A', 'C'] }] }),
      transaction({ name: 't2', operations: [{ take: ['B', 'C'] }], rollsBack: true }),
    ],
    limits: {},
  },
  'two that take the other side of a one-to-one link, of which one has written it before': {
    entries: { A: empty, B: empty, C: empty },
    writes: [
      transaction({ name: 't1', operations: [{ take: ['A', 'C'] }] }),
      {
        ...transaction({ name: 't2', operations: [{ take: ['B', 'C'] }] }),
        before: { name: 't3', operations: [{ change: ['C'] }] },
      },
    ],
    limits: {},
  },
};

/** Rules that are broken, and a scenario in which that is found. */
export const broken: readonly (readonly [rules: readonly Rule[], scenario: string])[] = [
  [['apply with the lock'], 'a transaction that seems dead, and a write alone that waits'],
  [['write alone without a lock'], 'a transaction that dies, and a write alone that waits'],
  [['commit if open'], 'a transaction that seems dead, and a write alone that waits'],
  [['log before apply'], 'a transaction that dies, and a write alone that waits'],
  [
    ['follow-up with the commit'],
    'a delete with an event and the response of a key, which dies, and a link to what is deleted',
  ],
  [['undo before unlock'], 'a transaction that dies, and a write alone that waits'],
  [['restore all before unlock'], 'two that take the other side of a one-to-one link, of which one is rolled back'],
  [['restore with the lock'], 'two transactions of which one seems dead'],
  [['fence what is undone'], 'a transaction that seems dead, and a write alone that waits'],
  [['remove new entries'], 'a transaction that dies, and a write alone that waits'],
  [['unlock before the record goes'], 'a transaction that dies, and a write alone that waits'],
  [['undo log before the record'], 'a transaction that dies, and a write alone that waits'],
  [['keep the record for its process'], 'a transaction that seems dead, and a write alone that waits'],
  [['lock the target'], 'two that take the other side of a one-to-one link, of which one dies'],
  [
    ['hold only what is locked'],
    'two that take the other side of a one-to-one link, of which one has written it before',
  ],
  [['open after the log'], 'two that take the other side of a one-to-one link, of which one seems dead'],
  // Without it, these two rules are needed as well.
  [['open after the log', 'unlock if unchanged'], 'a transaction that seems dead, and a write alone that waits'],
  [
    ['open after the log', 'clear what was undone'],
    'a transaction that seems dead before it dies, and two that meet it',
  ],
  [['look again after a refusal'], 'a transaction that seems dead, and a write alone that waits'],
  [['outcome after the abort'], 'a transaction whose commands fail, even its undo'],
];

function* inSequence(first: Program, second: () => Program): Program {
  let result = yield* first;
  while (typeof result === 'object') result = yield* result.program();
  return { name: 'second', program: second };
}

export function worldOf({ entries, writes, recoveries = [], limits }: Scenario, without: readonly Rule[] = []): World {
  const { transaction: run, single: write, link, recovery, sweep } = protocolWithout(without);
  const processes = writes.map((one) => {
    const { kind, name } = one;
    if (kind === 'transaction') {
      const { before } = one;
      const own = (): Program => run(one);
      const program = before === undefined ? own : () => inSequence(run(before), own);
      return { name, program, isTransaction: true };
    }
    return { name, program: () => (kind === 'single' ? write(name, one.id) : link(one.id, one.target)) };
  });
  return {
    ...limits,
    database: { entries, transactions: {}, undo: {}, published: [], silent: [] },
    processes: [
      ...processes,
      ...recoveries.map((id) => ({ name: `recovery of ${id}`, program: () => recovery(id), isOptional: true })),
    ],
    sweep,
    judge: (db, results) => [
      ...judgeDatabase(db),
      ...writes.flatMap((one, index) => judgeWrite(db, one, results[index])),
    ],
  };
}

/** Nothing of a transaction is left, and no link leads nowhere. */
function judgeDatabase({ entries, transactions, undo }: Database): readonly string[] {
  const links = Object.values(entries).flatMap(({ link }) => (link === undefined ? [] : [link]));
  return [
    ...Object.entries(entries).flatMap(([id, { lock }]) =>
      lock === undefined ? [] : [`${id} stays locked by ${lock.by}`],
    ),
    ...Object.keys(transactions).map((t) => `the record of ${t} is left`),
    ...Object.keys(undo).map((t) => `the undo log of ${t} is left`),
    ...links.filter((link) => entries[link] === undefined).map((link) => `a link to ${link} leads nowhere`),
    ...links
      .filter((link, index) => link === 'C' && links.indexOf(link) !== index)
      .map((link) => `two entries have taken ${link}`),
  ];
}

function judgeWrite({ entries, published }: Database, write: Write, result: Result): readonly string[] {
  const { name } = write;
  const parts = new Map<string, unknown>();
  const timesIn = (id: string): number => entries[id]?.done.filter((one) => one === name).length ?? 0;
  if (write.kind === 'single') parts.set(write.id, timesIn(write.id) > 0);
  if (write.kind === 'transaction') {
    for (const { change = [], create, remove } of write.operations) {
      for (const id of change) {
        const times = write.operations.filter((one) => one.change?.includes(id) || one.create === id).length;
        parts.set(id, timesIn(id) === times || (timesIn(id) > 0 && `${timesIn(id)} times`));
      }
      if (create !== undefined && !parts.has(create)) parts.set(create, entries[create] !== undefined);
      if (remove !== undefined) parts.set(remove, entries[remove] === undefined);
    }
    if (write.publishes)
      for (const what of ['event', 'response']) parts.set(what, published.includes(`${what} of ${name}`));
  }
  const some = [...parts.values()];
  const shown = [...parts].map(([part, isDone]) => `${part} ${String(isDone)}`).join(', ');
  return [
    ...(new Set(some).size > 1 ? [`${name} is half done: ${shown}`] : []),
    ...(result === 'done' && some.includes(false) ? [`${name} was acknowledged and is lost: ${shown}`] : []),
    ...(result === 'refused' && some.includes(true) ? [`${name} was refused and is done: ${shown}`] : []),
    ...(write.kind === 'transaction' ? judgeReads(entries, write) : []),
  ];
}

/** What a transaction has read of several entries is from one moment: all of another transaction, or nothing. */
function judgeReads(entries: Database['entries'], { name, operations }: Plan): readonly string[] {
  return operations.flatMap(({ change = [], create }) => {
    const read = entries[create ?? '']?.done.filter((one) => /:t/.test(one)) ?? [];
    const others = new Set(read.map((one) => one.replace(/^.*:/, '')));
    others.delete(name);
    return [...others].flatMap((other) =>
      change.every((id) => read.includes(`${id}:${other}`))
        ? []
        : [`${name} has read a part of ${other}: ${read.join(' ')}`],
    );
  });
}
