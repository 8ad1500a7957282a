import { AppError } from '../errors/app-error.js';
import type { LinkChange } from './mutation.js';

/** Maximum elements in all chains of a list. */
const MAX_CHAIN_LENGTH = 10_000;

/** The elements that have to be connected before an element of `connect`. */
export interface Chain {
  /**
   * Indexes of later elements: the neighbour of this one, the neighbour of that, and so on. Those up to the first that
   * is linked by then come before it, the last of them first.
   */
  readonly ahead: readonly number[];
  /** The last of them is positioned relative to one of the chain, or the element relative to itself. */
  readonly circular: boolean;
}

/**
 * The chain of each element of `connect`, as in Strapi v4's relations orderer: an element may be positioned relative to a
 * later one.
 * @throws AppError invalidValue for chains of more than 10,000 elements together
 */
export function chainsOf(connect: LinkChange['connect']): readonly Chain[] {
  const indexes = new Map(connect.map(({ id }, index) => [id, index]));
  const neighbours = connect.map(({ position }) => ('id' in position ? indexes.get(position.id) : undefined));
  let total = 0;
  return connect.map((_, index) => {
    const ahead: number[] = [];
    const inChain = new Set([index]);
    let next = neighbours[index];
    while (next !== undefined && next >= index) {
      if (inChain.has(next)) return { ahead, circular: true };
      total += 1;
      if (total > MAX_CHAIN_LENGTH) {
        throw new AppError(
          'invalidValue',
          'Too many relations are placed before/after ones that come later in the list',
        );
      }
      ahead.push(next);
      inChain.add(next);
      next = neighbours[next];
    }
    return { ahead, circular: false };
  });
}
