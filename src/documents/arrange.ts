import { AppError } from '../errors/app-error.js';
import type { LinkChange, Position } from '../query/write.js';

/** What Strapi v4 says when the neighbour of a position is not linked. */
export function unknownNeighbour(id: number, position: Position): AppError {
  const of = 'id' in position ? position.id : Number.NaN;
  const place = JSON.stringify({ [position.at]: of });
  return new AppError(
    'invalidValue',
    `There was a problem connecting relation with id ${id} at position ${place}. ` +
      `The relation with id ${of} needs to be connected first.`,
  );
}

/**
 * The ids of a relation after a change: some go, and one after the other comes to its place.
 * @throws AppError invalidValue for a neighbour that is not there
 */
export function arrange(ids: readonly number[], { replaces, disconnect, connect }: LinkChange): readonly number[] {
  let result = replaces ? [] : ids.filter((id) => !disconnect.includes(id));
  for (const { id, position } of connect) {
    const others = result.filter((other) => other !== id);
    const index = placeOf(position, others);
    if (index === undefined) throw unknownNeighbour(id, position);
    result = others.toSpliced(index, 0, id);
  }
  return result;
}

function placeOf(position: Position, others: readonly number[]): number | undefined {
  if (!('id' in position)) return position.at === 'start' ? 0 : others.length;
  const neighbour = others.indexOf(position.id);
  return neighbour < 0 ? undefined : neighbour + (position.at === 'after' ? 1 : 0);
}

/**
 * Ranks for ids that came into an order of ranked ones: between their neighbours, the last ones after `fresh`.
 * @param order all ids, in their new order
 * @param ranks of those that were there before
 * @param fresh a rank above all others
 */
export function rankBetween(
  order: readonly number[],
  ranks: ReadonlyMap<number, number>,
  comers: ReadonlySet<number>,
  fresh: number,
): ReadonlyMap<number, number> {
  const result = new Map<number, number>();
  let before: number | undefined;
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
