import { ObjectId } from 'mongodb';
import { coalesce } from '../coordination/coalesce.js';
import type { StoredEvents } from './stored-events.js';

/** Positions for events that are recorded together with their position; see docs/internals/events.md. */
export interface ReservedPositions {
  take(): Promise<HeldPosition>;
  /** Lets readers pass the positions that are not in use, as soon as the events in progress are recorded. */
  release(): Promise<void>;
}

/** A position that no reader passes before the event is recorded. */
export interface HeldPosition {
  readonly position: number;
  /** False once so much time has passed that a reader may have passed it. */
  isValid(): boolean;
  /** To be called when the event is recorded, or certainly will not be. */
  end(): void;
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
  const removable: ObjectId[] = [];
  /** How many positions of the last block were used: the next one needs about as many. */
  let lastUsed = 0;

  const retire = (block: Block): void => {
    if (block !== current && block.recording === 0) removable.push(block._id);
  };
  const close = (): void => {
    if (current === undefined) return;
    const block = current;
    current = undefined;
    lastUsed = block.used;
    retire(block);
  };
  const takeAll = coalesce(async (requests: readonly undefined[]) => {
    if (current !== undefined && !isYounger(current, valid)) close();
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
    take: async () => {
      const { block, position } = await takeAll(undefined);
      const end = (): void => {
        block.recording -= 1;
        retire(block);
      };
      return { position, isValid: () => isYounger(block, valid), end };
    },
    release: async () => {
      close();
      const ids = removable.splice(0);
      await Promise.all(ids.map((id) => events.remove(id))).catch((error: unknown) => {
        removable.push(...ids);
        throw error;
      });
    },
  };
}

const isYounger = ({ at }: Block, milliseconds: number): boolean => Date.now() - at.getTime() < milliseconds;

const newBlock = (): Block => ({
  _id: new ObjectId(),
  at: new Date(),
  isStored: false,
  next: 0,
  end: 0,
  recording: 0,
  used: 0,
});
