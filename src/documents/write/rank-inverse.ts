import type { ContentType } from '../../content-types/model/types.js';
import type { Store } from '../../mongo/store.js';
import { arrange, rankBetween } from './list-order.js';
import type { Encoded, RelationChange } from './encode/encode.js';
import type { RankedChange, RankedMorph } from './references.js';

/**
 * Gives what is connected from the other side of a relation its ranks there: the next ones, or, for positions, ones
 * between its neighbours. Only positions need a look at what is stored. What replaces other links has ranks above `reserved`.
 * @throws AppError invalidValue for a neighbour that is not linked
 */
export async function rankInverse(
  store: Store,
  type: ContentType,
  id: number,
  change: RelationChange,
): Promise<RankedChange> {
  const { attribute, connect, replaces } = change;
  const other = attribute.target.attributes.get(attribute.inverse ?? '');
  if (other?.kind !== 'relation' || (connect.length === 0 && !(replaces && attribute.many))) {
    return { ...change, ranks: [], reserved: 0 };
  }
  const positioned = attribute.many && !replaces && connect.some(({ position }) => position.at !== 'end');
  const side = { type, id, name: attribute.name };
  const { entries: stored, above } = positioned
    ? await store.ranks(attribute.target, other, side)
    : { entries: [], above: undefined };
  const room = connect.length + stored.length + 1;
  const { rank: reserved } = await store.counters.reserve(attribute.target.uid, { ids: 0, ranks: room });
  const rank = reserved + 1;
  if (!positioned) return { ...change, ranks: connect.map((_, index) => rank + index), reserved };
  const order = arrange(
    stored.map((one) => one.id),
    change,
  );
  const former = new Map(stored.map((one) => [one.id, one.rank]));
  const known = new Map([...former].filter(([, one]) => one >= (above ?? one)));
  const ranks = rankBetween(order, known, new Set(connect.map((one) => one.id)), rank, above);
  const all = order.map((one) => ranks.get(one) ?? known.get(one) ?? rank);
  if (all.every((one, index) => one > (all[index - 1] ?? above ?? Number.NEGATIVE_INFINITY))) {
    const seen = connect.map((one) => former.get(one.id) ?? null);
    return { ...change, ranks: connect.map((one) => ranks.get(one.id) ?? rank), reserved, seen };
  }
  // There is no number left between two neighbours: all get new ones.
  const everyone = order.map((one) => ({ id: one, position: { at: 'end' } as const }));
  return { ...change, connect: everyone, ranks: order.map((_, index) => rank + index), reserved };
}

/** Gives what is connected from the other side of a relation to any type its rank there, and one below it. */
export async function rankMorphed(store: Store, change: Encoded['morphed'][number]): Promise<RankedMorph> {
  const { rank } = await store.counters.reserve(change.attribute.target.uid, { ids: 0, ranks: 2 });
  return { ...change, rank };
}
