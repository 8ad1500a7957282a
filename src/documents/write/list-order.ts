import { AppError } from '../../errors/app-error.js';
import { chainsOf } from '../../query/connect-chains.js';
import type { LinkChange, Position } from '../../query/mutation.js';

/** What Strapi v4 says when the neighbour of a position is not linked. */
export function unknownAnchor(id: number, position: Position): AppError {
  const of = 'id' in position ? position.id : Number.NaN;
  const place = JSON.stringify({ [position.at]: of });
  return new AppError(
    'invalidValue',
    `There was a problem connecting relation with id ${id} at position ${place}. ` +
      `The relation with id ${of} needs to be connected first.`,
  );
}

/** What Strapi v4 says when each of several that are connected is to be placed beside another of them. */
export const circularReference = (): AppError =>
  new AppError(
    'invalidValue',
    'A circular reference was found in the connect array. ' +
      'One relation is trying to connect before/after another one that is trying to connect before/after it',
  );

/**
 * Refuses what Strapi v4 refuses of a relation to many, whatever is linked.
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

/** The same change, where each place has to be there. */
export const strictly = (change: LinkChange): LinkChange => ({
  ...change,
  connect: change.connect.map(({ position, ...one }) => ({
    ...one,
    position: 'id' in position ? { at: position.at, id: position.id } : position,
  })),
});

/**
 * The ids of a relation after a change: some go, and one after the other comes to its place, after those that it should
 * stand beside.
 * @throws AppError invalidValue for a neighbour that is not there
 */
export function arrange(ids: readonly number[], { replaces, disconnect, connect }: LinkChange): readonly number[] {
  const staying = replaces ? [] : ids.filter((id) => !disconnect.includes(id));
  const linked = new Set(staying);
  const chains = chainsOf(connect);
  let result: readonly number[] = staying;
  const placed = new Set<number>();
  for (const [index, { ahead, circular }] of chains.entries()) {
    if (placed.has(index)) continue;
    const stop = ahead.findIndex((one) => placed.has(one) || linked.has(connect[one]?.id ?? Number.NaN));
    if (circular && stop < 0) throw circularReference();
    const next = [index, ...(stop < 0 ? ahead : ahead.slice(0, stop))].toReversed();
    for (const one of next) {
      result = place(result, connect[one]);
      placed.add(one);
    }
  }
  return result;
}

function place(ids: readonly number[], comer: LinkChange['connect'][number] | undefined): readonly number[] {
  if (comer === undefined) return ids;
  const { id, position } = comer;
  const others = ids.filter((other) => other !== id);
  const index = indexOfPosition(position, others);
  if (index === undefined) throw unknownAnchor(id, position);
  return others.toSpliced(index, 0, id);
}

function indexOfPosition(position: Position, others: readonly number[]): number | undefined {
  if (!('id' in position)) return position.at === 'start' ? 0 : others.length;
  const neighbour = others.indexOf(position.id);
  if (neighbour < 0) return position.otherwise === 'end' ? others.length : undefined;
  return neighbour + (position.at === 'after' ? 1 : 0);
}

/**
 * Ranks for ids that came into an order of ranked ones: between their neighbours, the last ones after `fresh`.
 * @param order all ids, in their new order
 * @param ranks of those that were there before
 * @param fresh a rank above all others
 * @param floor a rank below all others, if there is one
 */
export function rankBetween(
  order: readonly number[],
  ranks: ReadonlyMap<number, number>,
  comers: ReadonlySet<number>,
  fresh: number,
  floor?: number,
): ReadonlyMap<number, number> {
  const result = new Map<number, number>();
  let before = floor;
  for (const [index, id] of order.entries()) {
    const known = ranks.get(id);
    if (!comers.has(id) && known !== undefined) {
      before = known;
      continue;
    }
    const next = order.slice(index + 1).find((other) => !comers.has(other) && ranks.has(other));
    const after = next === undefined ? undefined : ranks.get(next);
    const rank = between(before, after, fresh + index);
    result.set(id, rank);
    before = rank;
  }
  return result;
}

function between(before: number | undefined, after: number | undefined, fresh: number): number {
  if (after === undefined) return fresh;
  return before === undefined ? after - 1 : (before + after) / 2;
}
