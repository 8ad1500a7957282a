import { AppError } from '../errors/app-error.js';
import type { LinkChange, Position } from './mutation.js';

/** Strapi v4's error for a position next to an entry that is not linked. */
export function unknownAnchor(id: number, position: Position): AppError {
  const anchor = 'id' in position ? position.id : Number.NaN;
  const written = JSON.stringify({ [position.at]: anchor });
  return new AppError(
    'invalidValue',
    `There was a problem connecting relation with id ${id} at position ${written}. ` +
      `The relation with id ${anchor} needs to be connected first.`,
  );
}

/** Whether the connected entries become the only linked ones: a list is set, or a relation to one entry gets another target. */
export const replacesAll = ({ replaces, connect }: LinkChange, many: boolean): boolean =>
  replaces || (!many && connect.length > 0);

/** The entries that a change links: a relation to one keeps the last of them. */
export const linkedIds = ({ connect }: Pick<LinkChange, 'connect'>, many: boolean): readonly number[] =>
  (many ? connect : connect.slice(-1)).map(({ id }) => id);

/** Strapi v4's message for connected entries with circular positions. */
const CIRCULAR_REFERENCE =
  'A circular reference was found in the connect array. ' +
  'One relation is trying to connect before/after another one that is trying to connect before/after it';

/**
 * Refuses the changes of a to-many relation that Strapi v4 refuses whatever is linked.
 * @throws AppError invalidValue for a `connect` that names an entry twice
 */
export function checkConnect({ replaces, connect }: LinkChange): void {
  if (replaces) return;
  const seen = new Set<number>();
  for (const { id } of connect) {
    if (seen.has(id)) {
      const message = `The relation with id ${id} is already connected. You cannot connect the same relation twice.`;
      throw new AppError('invalidValue', message);
    }
    seen.add(id);
  }
  chainsOf(connect);
}

/** A change with the condition that every position exists. */
export const strictly = (change: LinkChange): LinkChange => ({
  ...change,
  connect: change.connect.map(({ position, ...link }) => ({
    ...link,
    position: 'id' in position ? { at: position.at, id: position.id } : position,
  })),
});

/**
 * The order of a relation after a change: some links are removed, then each connected entry takes its position, after the
 * entries that it is placed beside.
 * @throws AppError invalidValue for an anchor that is not linked
 */
export function arrange(ids: readonly number[], { replaces, disconnect, connect }: LinkChange): readonly number[] {
  const remaining = replaces ? [] : ids.filter((id) => !disconnect.includes(id));
  // Nearly always: it takes a time that grows with the square of their number to place them one by one.
  if (connect.every(({ position }) => position.at === 'end')) {
    const placed = new Set(remaining);
    for (const { id } of connect) {
      placed.delete(id);
      placed.add(id);
    }
    return [...placed];
  }
  const linked = new Set(remaining);
  const chains = chainsOf(connect);
  let result: readonly number[] = remaining;
  const placed = new Set<number>();
  for (const [index, { ahead, circular }] of chains.entries()) {
    if (placed.has(index)) continue;
    const stop = ahead.findIndex((at) => placed.has(at) || linked.has(connect[at]?.id ?? Number.NaN));
    if (circular && stop < 0) throw new AppError('invalidValue', CIRCULAR_REFERENCE);
    const next = [index, ...(stop < 0 ? ahead : ahead.slice(0, stop))].toReversed();
    for (const at of next) {
      result = insert(result, connect[at]);
      placed.add(at);
    }
  }
  return result;
}

function insert(ids: readonly number[], link: LinkChange['connect'][number] | undefined): readonly number[] {
  if (link === undefined) return ids;
  const { id, position } = link;
  const others = ids.filter((other) => other !== id);
  const index = indexOfPosition(position, others);
  if (index === undefined) throw unknownAnchor(id, position);
  return others.toSpliced(index, 0, id);
}

function indexOfPosition(position: Position, others: readonly number[]): number | undefined {
  if (!('id' in position)) return position.at === 'start' ? 0 : others.length;
  const anchor = others.indexOf(position.id);
  if (anchor < 0) return position.otherwise === 'end' ? others.length : undefined;
  return anchor + (position.at === 'after' ? 1 : 0);
}

/**
 * Ranks for the entries that a change connects: those at the end get ranks from `fresh`, the others ranks between those beside them. Undefined
 * if no number is left between two of them: then all entries need new ranks.
 * @param order all ids, in their new order
 * @param ranks of the ids that were linked before
 * @param fresh a rank above all others
 */
export function rankBetween(
  order: readonly number[],
  ranks: ReadonlyMap<number, number>,
  connect: LinkChange['connect'],
  fresh: number,
): ReadonlyMap<number, number> | undefined {
  const connected = new Set(connect.map(({ id }) => id));
  const result = new Map<number, number>();
  let before: number | undefined;
  for (const [index, id] of order.entries()) {
    const former = connected.has(id) ? undefined : ranks.get(id);
    const next = order.slice(index + 1).find((other) => !connected.has(other) && ranks.has(other));
    const rank = former ?? between(before, next === undefined ? undefined : ranks.get(next), fresh + index);
    if (before !== undefined && rank <= before) return undefined;
    if (former === undefined) result.set(id, rank);
    before = rank;
  }
  return result;
}

function between(before: number | undefined, after: number | undefined, fresh: number): number {
  if (after === undefined) return fresh;
  return before === undefined ? after - 1 : (before + after) / 2;
}

/** Maximum elements in all chains of a list. */
const MAX_CHAIN_LENGTH = 10_000;

/** The elements that have to be connected before an element of `connect`. */
interface Chain {
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
function chainsOf(connect: LinkChange['connect']): readonly Chain[] {
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
