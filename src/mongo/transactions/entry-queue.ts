import { LONGEST_WAIT } from './wait.js';

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

/**
 * The order in which the writes of this process get an entry: first come, first served. Without it, those that look
 * again after a pause would starve those that have waited longer, and would send commands in vain.
 */
export class EntryQueue {
  readonly #lines = new Map<string, Line>();
  /** The entry for which an owner waits: one at a time. */
  readonly #wanted = new Map<string, string>();
  /** The entries that an owner has. */
  readonly #entriesByOwner = new Map<string, Set<string>>();

  /**
   * Waits until the owner is the only one that has the entry; an owner that has it does not wait. `late`: one of those
   * before it has it for longer, and did nothing in this time; `circular`: it waits for an entry of this owner.
   */
  async enter(entry: string, owner: string, milliseconds: number): Promise<'entered' | 'late' | 'circular'> {
    const line = this.#lines.get(entry);
    if (line === undefined) {
      this.#lines.set(entry, { holder: owner, waiting: [] });
      this.#give(entry, owner);
    }
    if (line === undefined || line.holder === owner) return 'entered';
    if (this.#isCircular(entry, owner)) return 'circular';
    this.#wanted.set(owner, entry);
    return new Promise((resolve) => {
      const end = (outcome: 'entered' | 'late'): void => {
        clearTimeout(timer);
        this.#wanted.delete(owner);
        resolve(outcome);
      };
      const timer = setTimeout(() => {
        line.waiting.splice(line.waiting.indexOf(waiter), 1);
        end('late');
      }, milliseconds);
      const waiter: Waiter = { owner, timer, until: performance.now() + LONGEST_WAIT * milliseconds, end };
      line.waiting.push(waiter);
    });
  }

  leave(entry: string, owner: string): void {
    const line = this.#lines.get(entry);
    if (line?.holder !== owner) return;
    const own = this.#entriesByOwner.get(owner);
    own?.delete(entry);
    if (own?.size === 0) this.#entriesByOwner.delete(owner);
    const next = line.waiting.shift();
    if (next === undefined) {
      this.#lines.delete(entry);
      return;
    }
    line.holder = next.owner;
    this.#give(entry, next.owner);
    next.end('entered');
  }

  /** The owner has got on: those who wait for its entries may wait for longer. */
  touch(owner: string): void {
    const now = performance.now();
    for (const entry of this.#entriesByOwner.get(owner) ?? [])
      for (const { timer, until } of this.#lines.get(entry)?.waiting ?? []) if (now < until) timer.refresh();
  }

  has(entry: string): boolean {
    return this.#lines.has(entry);
  }

  #give(entry: string, owner: string): void {
    const own = this.#entriesByOwner.get(owner) ?? new Set();
    this.#entriesByOwner.set(owner, own.add(entry));
  }

  #holderOf(entry: string | undefined): string | undefined {
    return entry === undefined ? undefined : this.#lines.get(entry)?.holder;
  }

  /** Does the holder of the entry wait for the owner? */
  #isCircular(entry: string, owner: string): boolean {
    let next = this.#holderOf(entry);
    while (next !== undefined && next !== owner) next = this.#holderOf(this.#wanted.get(next));
    return next === owner;
  }
}
