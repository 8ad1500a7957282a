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

/**
 * Whether the connected entries become the only linked ones: a list is set, or a relation to one entry gets another
 * target.
 */
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

type Link = LinkChange['connect'][number];

/** Called for each connected entry when it takes its position, with the ids beside it at this moment. */
type OnPlaced = (link: Link, previous: number | undefined, next: number | undefined) => void;

/**
 * The order of a relation after a change: some links are removed, then each connected entry takes its position, after
 * the entries that it is placed beside.
 * @throws AppError invalidValue for an anchor that is not linked
 */
export function arrange(
  ids: readonly number[],
  { replaces, disconnect, connect }: LinkChange,
  onPlaced?: OnPlaced,
): readonly number[] {
  const remaining = replaces ? [] : ids.filter((id) => !disconnect.includes(id));
  // Nearly always: it takes a time that grows with the square of their number to place them one by one.
  if (onPlaced === undefined && connect.every(({ position }) => position.at === 'end')) {
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
      result = insert(result, connect[at], onPlaced);
      placed.add(at);
    }
  }
  return result;
}

function insert(ids: readonly number[], link: Link | undefined, onPlaced: OnPlaced | undefined): readonly number[] {
  if (link === undefined) return ids;
  const { id, position } = link;
  const others = ids.filter((other) => other !== id);
  const index = indexOfPosition(position, others);
  if (index === undefined) throw unknownAnchor(id, position);
  onPlaced?.(link, others[index - 1], others[index]);
  return others.toSpliced(index, 0, id);
}

function indexOfPosition(position: Position, others: readonly number[]): number | undefined {
  if (!('id' in position)) return position.at === 'start' ? 0 : others.length;
  const anchor = others.indexOf(position.id);
  if (anchor < 0) return position.otherwise === 'end' ? others.length : undefined;
  return anchor + (position.at === 'after' ? 1 : 0);
}

/*
 * The other side of a relation sorts by the ranks of links. The counter gives integers from 1, and a write reserves one
 * before it stores its link. So while a list is changed, a link can be on its way whose rank is any of those that the
 * counter has given. It must come where it would be if it had been stored before the change, or after it. So the ranks
 * below do not depend on the counter: between such a rank and the one that it replaces there is no integer.
 */

/** The ranks of all entries of a list that is replaced: below the integers, so that links on their way follow. */
export const ranksOfList = (ids: readonly number[]): ReadonlyMap<number, number> =>
  new Map(ids.map((id, index) => [id, (index + 1) / (ids.length + 1)]));

/** The rank of all entries of a list that is replaced, if they are in the order of their ids. */
export const LIST_RANK = 0.5;

/** How many of the connected entries may be placed at the end. */
export const placedAtEnd = (connect: LinkChange['connect']): number =>
  connect.filter(({ position }) => position.at === 'end' || 'otherwise' in position).length;

/**
 * The ranks of the entries that a change connects, if it places some beside others: each is next to its neighbour.
 * Undefined if no number is left between two of them: then all entries need new ranks.
 * @param former the ranks of the linked ids, in their order
 * @param fresh the first of the ranks for those that are placed at the end, above all others
 */
export function ranksBetween(
  former: ReadonlyMap<number, number>,
  change: LinkChange,
  fresh: number,
): ReadonlyMap<number, number> | undefined {
  const ranks = new Map(former);
  const connected = new Map<number, number>();
  let [end, hasRoom] = [fresh, true];
  arrange([...former.keys()], change, ({ id, position }, previous, next) => {
    const low = ranks.get(previous ?? Number.NaN) ?? -Infinity;
    const high = ranks.get(next ?? Number.NaN) ?? Infinity;
    let rank = end;
    if (position.at === 'start') rank = high > 0 ? Math.min(high, 1) / 2 : high - 1;
    else if (position.at === 'before' && position.id === next) rank = (Math.max(low, Math.ceil(high) - 1) + high) / 2;
    else if (position.at === 'after' && position.id === previous)
      rank = (low + Math.min(high, Math.floor(low) + 1)) / 2;
    else end += 1;
    hasRoom &&= low < rank && rank < high;
    ranks.set(id, rank);
    connected.set(id, rank);
  });
  return hasRoom ? connected : undefined;
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
 * The chain of each element of `connect`, as in Strapi v4's relations orderer: an element may be positioned relative to
 * a later one.
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
