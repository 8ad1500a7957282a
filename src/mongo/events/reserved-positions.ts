import { ObjectId } from 'mongodb';
import { AppError } from '../../errors/app-error.js';
import { coalesce } from '../coordination/coalesce.js';
import type { StoredEvents } from './stored-events.js';

/** Positions for events that are recorded together with their position; see docs/internals/events.md. */
export interface ReservedPositions {
  /**
   * Records an event with a position that no reader passes in the meantime.
   * @throws AppError unavailable if this took so long that a reader may have passed it
   */
  use<T>(record: (position: number) => Promise<T>): Promise<T>;
  /** Lets readers pass the positions that are not in use, as soon as the events in progress are recorded. */
  release(): Promise<void>;
}

interface ReservedPositionsOptions {
  readonly events: Pick<StoredEvents, 'insert' | 'remove'>;
  /** Allocates consecutive positions and returns the first. */
  readonly allocate: (count: number) => Promise<number>;
  /** A position below all that will be allocated. */
  readonly floor: () => number;
  /** Milliseconds during which other processes respect a floor. */
  readonly valid: number;
}

/** Positions that were allocated after a floor was stored, which readers do not pass before it is removed. */
interface Block {
  readonly _id: ObjectId;
  readonly at: Date;
  isStored: boolean;
  next: number;
  end: number;
  /** Events that are being recorded. */
  recording: number;
  used: number;
}

/** As many positions as the last block used, and some more. */
const RESERVE = 1.3;

export function reservePositions({ events, allocate, floor, valid }: ReservedPositionsOptions): ReservedPositions {
  let current: Block | undefined;
  /** Floors that readers need not respect any more. */
  let removable: ObjectId[] = [];
  /** How many positions of the last block were used: the next one needs about as many. */
  let lastUsed = 0;

  const retire = (block: Block): void => {
    if (block === current || block.recording > 0) return;
    removable.push(block._id);
  };
  const close = (): void => {
    if (current === undefined) return;
    const block = current;
    current = undefined;
    lastUsed = block.used;
    retire(block);
  };
  const isValid = ({ at }: Block): boolean => Date.now() - at.getTime() < valid;
  const take = coalesce(async (requests: readonly undefined[]) => {
    if (current !== undefined && !isValid(current)) close();
    const block = (current ??= newBlock());
    block.recording += requests.length;
    try {
      if (!block.isStored) await events.insert({ _id: block._id, at: block.at, floor: floor() });
      block.isStored = true;
      if (block.end - block.next < requests.length) {
        const count = Math.max(requests.length, block.used === 0 ? Math.floor(lastUsed * RESERVE) : block.used);
        block.next = await allocate(count);
        block.end = block.next + count;
      }
      const first = block.next;
      block.next += requests.length;
      block.used += requests.length;
      return requests.map((_, index) => ({ block, position: first + index }));
    } catch (error) {
      block.recording -= requests.length;
      current = undefined;
      retire(block);
      throw error;
    }
  });

  return {
    use: async (record) => {
      const { block, position } = await take(undefined);
      try {
        const result = await record(position);
        if (!isValid(block)) throw new AppError('unavailable');
        return result;
      } finally {
        block.recording -= 1;
        retire(block);
      }
    },
    release: async () => {
      close();
      const ids = removable;
      removable = [];
      await Promise.all(ids.map((id) => events.remove(id))).catch((error: unknown) => {
        removable.push(...ids);
        throw error;
      });
    },
  };
}

const newBlock = (): Block => ({
  _id: new ObjectId(),
  at: new Date(),
  isStored: false,
  next: 0,
  end: 0,
  recording: 0,
  used: 0,
});
