import { LONGEST_WAIT } from './wait.js';

/**
 * The order in which the writes of this process get an entry: first come, first served. Without it, those that look again after a pause would
 * starve those that have waited longer, and would send commands in vain.
 */
export interface EntryQueue {
  /**
   * Waits until the owner is the only one that has the entry; an owner that has it does not wait. `late`: one of those before it has it for longer, and did
   * nothing in this time; `circular`: it waits for an entry of this owner.
   */
  enter(entry: string, owner: string, milliseconds: number): Promise<'entered' | 'late' | 'circular'>;
  leave(entry: string, owner: string): void;
  /** The owner has got on: those who wait for its entries may wait for longer. */
  touch(owner: string): void;
  has(entry: string): boolean;
}

interface Line {
  holder: string;
  readonly waiting: Waiter[];
}

interface Waiter {
  readonly owner: string;
  readonly timer: NodeJS.Timeout;
  /** When it has waited long enough, whatever happens. */
  readonly until: number;
  readonly end: (outcome: 'entered' | 'late') => void;
}

export function createEntryQueue(): EntryQueue {
  const lines = new Map<string, Line>();
  /** The entry for which an owner waits: one at a time. */
  const wanted = new Map<string, string>();
  /** The entries that an owner has. */
  const held = new Map<string, Set<string>>();
  const hold = (entry: string, owner: string): void => {
    const own = held.get(owner) ?? new Set();
    held.set(owner, own.add(entry));
  };
  const refresh = (entry: string): void => {
    const now = performance.now();
    for (const { timer, until } of lines.get(entry)?.waiting ?? []) if (now < until) timer.refresh();
  };
  const holderOf = (entry: string | undefined): string | undefined =>
    entry === undefined ? undefined : lines.get(entry)?.holder;
  /** Does the holder of the entry wait for the owner? */
  const isCircular = (entry: string, owner: string): boolean => {
    let next = holderOf(entry);
    while (next !== undefined && next !== owner) next = holderOf(wanted.get(next));
    return next === owner;
  };
  return {
    enter: async (entry, owner, milliseconds) => {
      const line = lines.get(entry);
      if (line === undefined) {
        lines.set(entry, { holder: owner, waiting: [] });
        hold(entry, owner);
      }
      if (line === undefined || line.holder === owner) return 'entered';
      if (isCircular(entry, owner)) return 'circular';
      wanted.set(owner, entry);
      return new Promise((resolve) => {
        const end = (outcome: 'entered' | 'late'): void => {
          clearTimeout(timer);
          wanted.delete(owner);
          resolve(outcome);
        };
        const timer = setTimeout(() => {
          line.waiting.splice(line.waiting.indexOf(waiter), 1);
          end('late');
        }, milliseconds);
        const waiter: Waiter = { owner, timer, until: performance.now() + LONGEST_WAIT * milliseconds, end };
        line.waiting.push(waiter);
      });
    },
    leave: (entry, owner) => {
      const line = lines.get(entry);
      if (line?.holder !== owner) return;
      const own = held.get(owner);
      own?.delete(entry);
      if (own?.size === 0) held.delete(owner);
      const next = line.waiting.shift();
      if (next === undefined) {
        lines.delete(entry);
        return;
      }
      line.holder = next.owner;
      hold(entry, next.owner);
      next.end('entered');
    },
    touch: (owner) => held.get(owner)?.forEach(refresh),
    has: (entry) => lines.has(entry),
  };
}
