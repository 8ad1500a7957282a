import type { Store } from '../mongo/store.js';
import { arrange, rankBetween } from './arrange.js';
import type { RelationChange } from './encode.js';
import type { RankedChange } from './references.js';

/**
 * Gives what is connected from the other side of a relation its ranks there: the next ones, or, for positions, ones
 * between its neighbours. Only positions need a look at what is stored.
 * @throws AppError invalidValue for a neighbour that is not linked
 */
export async function rankInverse(store: Store, id: number, change: RelationChange): Promise<RankedChange> {
  const { attribute, connect, replaces } = change;
  const other = attribute.target.attributes.get(attribute.inverse ?? '');
  if (other?.kind !== 'relation' || connect.length === 0) return { ...change, ranks: [], reserved: 0 };
  const positioned = attribute.many && !replaces && connect.some(({ position }) => position.at !== 'end');
  const stored = positioned ? await store.ranks(attribute.target, other, id) : [];
  const room = connect.length + stored.length;
  const { rank } = await store.counters.reserve(attribute.target.uid, { ids: 0, ranks: room });
  if (!positioned) return { ...change, ranks: connect.map((_, index) => rank + index), reserved: rank };
  const order = arrange(
    stored.map((one) => one.id),
    change,
  );
  const known = new Map(stored.map((one) => [one.id, one.rank]));
  const ranks = rankBetween(order, known, new Set(connect.map((one) => one.id)), rank);
  const all = order.map((one) => ranks.get(one) ?? known.get(one) ?? rank);
  if (all.every((one, index) => index === 0 || one > (all[index - 1] ?? one))) {
    return { ...change, ranks: connect.map((one) => ranks.get(one.id) ?? rank), reserved: rank };
  }
  // There is no number left between two neighbours: all get new ones.
  const everyone = order.map((one) => ({ id: one, position: { at: 'end' } as const }));
  return { ...change, connect: everyone, ranks: order.map((_, index) => rank + index), reserved: rank };
}
