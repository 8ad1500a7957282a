import type { Document } from 'mongodb';
import type { Command, Rewrite } from './gate.js';
import { sequence } from './sequence.js';

/** The protocol with one rule broken, and a scenario that needs it. */
export interface Mutation {
  readonly name: string;
  readonly scenario: string;
  readonly rewrite: Rewrite;
  /** How many schedules it takes to find it, if more than the usual ones. */
  readonly schedules?: number;
}

/** Changes the filters of some updates. */
const withFilters =
  (isChanged: (command: Command, update: Document) => boolean, change: (filter: Document) => Document): Rewrite =>
  (command) => {
    if (command.name !== 'update') return command.body;
    const updates = sequence(command.body['updates']).map((one) =>
      isChanged(command, one['u'] as Document) ? { ...one, q: change(one['q'] as Document) } : one,
    );
    return { ...command.body, updates };
  };

const without =
  (...names: readonly string[]) =>
  (filter: Document): Document =>
    Object.fromEntries(Object.entries(filter).filter(([name]) => !names.includes(name)));

const isApplied = (_: Command, update: Document): boolean =>
  (update['$set'] as Document | undefined)?.['_lock.changed'] === true;
const isLocking = (_: Command, update: Document): boolean =>
  (update['$set'] as Document | undefined)?.['_lock'] !== undefined;
const isRestored = (_: Command, update: Document): boolean =>
  (update['_lock'] as Document | undefined)?.['undone'] === true;
const isEntry = ({ collection }: Command): boolean => !collection.startsWith('_');
const isCommit = ({ collection }: Command, update: Document): boolean =>
  collection === '_transactions' && (update['$set'] as Document | undefined)?.['state'] === 'committed';

/** A lock on an entry that another transaction may have locked. */
const locksAnyway: Rewrite = (command) => {
  if (command.name === 'findAndModify') {
    const { query, update } = command.body as { query: Document; update: Document };
    return isLocking(command, update) ? { ...command.body, query: without('_lock')(query) } : command.body;
  }
  return withFilters(isLocking, without('_lock'))(command);
};

export const mutations: readonly Mutation[] = [
  {
    name: 'an applied change does not require its lock',
    scenario: 'code: article x9 is created, author 1 sets it, and tag 1 deleted',
    rewrite: withFilters(isApplied, without('_lock.by', '_lock.undone')),
  },
  {
    name: 'a commit does not require that the transaction is open',
    scenario: 'article 2: takes card 1',
    rewrite: withFilters(isCommit, without('state')),
  },
  {
    name: 'entries are not logged',
    scenario: 'article 2: takes card 1',
    rewrite: (command) => (command.name === 'insert' && command.collection === '_undo' ? undefined : command.body),
  },
  {
    name: 'new entries of an aborted transaction stay',
    scenario: 'code: article x9 is created, tag 1 deleted, and both rolled back',
    rewrite: (command) => (command.name === 'delete' && isEntry(command) ? undefined : command.body),
  },
  {
    name: 'a lock does not keep others from the target of a one-to-one link',
    scenario: 'article 2: takes card 3 | article 3: takes card 3',
    rewrite: (command) => (command.collection === 'cards' ? locksAnyway(command) : command.body),
  },
  {
    name: 'an entry is restored that its transaction has not locked any more',
    scenario: 'code: article 2 takes card 1, and is rolled back | article 2: code x9',
    rewrite: withFilters(isRestored, without('_lock.by')),
    schedules: 64,
  },
  {
    name: 'a write of one document does not wait for locks',
    scenario: 'code: article 2 takes card 1, and is rolled back | article 2: code x9',
    rewrite: withFilters(
      (command, update) => isEntry(command) && !isLocking(command, update),
      (filter) => (filter['_lock'] === null ? without('_lock')(filter) : filter),
    ),
  },
];
