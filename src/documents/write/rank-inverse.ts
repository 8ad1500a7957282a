import type { ContentType } from '../../content-types/model/types.js';
import type { Store } from '../../mongo/store.js';
import { arrange, rankBetween } from './list-order.js';
import type { Encoded, RelationChange } from './encode/encode.js';
import type { RankedChange, RankedMorph } from './references.js';

/**
 * Assigns ranks to the entries that are connected from the other side of a relation: the next ones or, for positions, ones
 * between the neighbouring ranks. Only positions require a read. Links that replace others have ranks above `reserved`.
 * A position beside an entry of a list that another write is replacing changes nothing: that write counts as the later one.
 * @throws AppError invalidValue for an anchor that is not linked
 */
export async function rankInverse(
  store: Store,
  type: ContentType,
  id: number,
  change: RelationChange,
): Promise<RankedChange> {
  const { attribute, connect, disconnect, replaces } = change;
  const other = attribute.target.attributes.get(attribute.inverse ?? '');
  if (other?.kind !== 'relation' || (connect.length === 0 && disconnect.length === 0 && !replaces)) {
    return unchanged(change);
  }
  const positioned = attribute.many && !replaces && connect.some(({ position }) => position.at !== 'end');
  const side = { type, id, name: attribute.name };
  const { entries: stored, above } = positioned
    ? await store.ranks(attribute.target, other, side)
    : { entries: [], above: undefined };
  const rankCount = connect.length + stored.length + 1;
  const { rank: reserved } = await store.counters.reserve(attribute.target.uid, { ids: 0, ranks: rankCount });
  const rank = reserved + 1;
  if (!positioned) return { ...change, ranks: connect.map((_, index) => rank + index), reserved };
  const former = new Map(stored.map((entry) => [entry.id, entry.rank]));
  const current = new Map([...former].filter(([, formerRank]) => formerRank >= (above ?? formerRank)));
  const connected = new Set(connect.map((link) => link.id));
  const isReplaced = (owner: number): boolean => former.has(owner) && !current.has(owner) && !connected.has(owner);
  if (connect.some(({ position }) => 'id' in position && isReplaced(position.id))) return unchanged(change);
  const order = arrange([...current.keys()], change);
  const ranks = rankBetween(order, current, connect, rank, above);
  const all = order.map((owner) => ranks.get(owner) ?? current.get(owner) ?? rank);
  if (all.every((own, index) => own > (all[index - 1] ?? above ?? Number.NEGATIVE_INFINITY))) {
    const seen = connect.map((link) => former.get(link.id) ?? null);
    return { ...change, ranks: connect.map((link) => ranks.get(link.id) ?? rank), reserved, seen };
  }
  // No number is left between two ranks: all get new ones.
  const everyone = order.map((owner) => ({ id: owner, position: { at: 'end' } as const }));
  return { ...change, connect: everyone, ranks: order.map((_, index) => rank + index), reserved };
}

const unchanged = (change: RelationChange): RankedChange => ({
  ...change,
  connect: [],
  disconnect: [],
  ranks: [],
  reserved: 0,
});

/** Assigns a rank, and one below it, to the entries connected from the other side of a relation to any type. */
export async function rankMorphed(store: Store, change: Encoded['morphed'][number]): Promise<RankedMorph> {
  const { rank } = await store.counters.reserve(change.attribute.target.uid, { ids: 0, ranks: 2 });
  return { ...change, rank };
}
