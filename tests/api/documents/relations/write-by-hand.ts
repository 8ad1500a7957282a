import type { ContentType, RelationAttribute } from '../../../../src/content-types/model/types.js';
import { marksOf, relationWrites, replacedSides } from '../../../../src/documents/write/references.js';
import { openCounters } from '../../../../src/mongo/write/counters.js';
import type { Changes, LinkChange, Rank, StoredValue, Write } from '../../../../src/query/mutation.js';
import type { Client } from '../../../support/service.js';

/** A change that leads to these and to no others. */
export const set = (...ids: readonly number[]): LinkChange => ({
  replaces: true,
  disconnect: [],
  connect: ids.map((id) => ({ id, position: { at: 'end' } })),
});

type Update = Write & { readonly kind: 'update' };

/** The writes of one request, made by hand: so they can be left half done. */
export interface WriteByHand {
  readonly typeOf: (name: string) => ContentType;
  /** A change of one relation of an article, at this time. */
  readonly update: (id: number, name: string, change: LinkChange, updatedAt?: Date) => Update;
  /** Gives a card to an article, and takes it from all others. */
  readonly takeOver: (id: number, card: number, updatedAt?: Date) => Promise<readonly [Update, ...Write[]]>;
  /** A change of a relation that the other side stores. */
  readonly fromOther: (
    type: string,
    id: number,
    name: string,
    change: LinkChange,
  ) => Promise<readonly [Update, ...Write[]]>;
}

export function writeByHand(client: Client): WriteByHand {
  const typeOf = (name: string): ContentType => {
    const type = client.service.registry.contentTypes.get(`api::${name}.${name}`);
    if (type === undefined) throw new Error(`There is no ${name}`);
    return type;
  };
  const relationOf = (type: string, name: string): RelationAttribute => {
    const attribute = typeOf(type).attributes.get(name);
    if (attribute?.kind !== 'relation') throw new Error(`${name} is no relation`);
    return attribute;
  };
  const nextRank = async (ranks: number): Promise<number> => {
    const counters = openCounters(client.service.database.db);
    return (await counters.reserve(typeOf('article').uid, { ids: 0, ranks })).rank;
  };
  const updateOf = (type: string, id: number, links: Changes['links'], updatedAt: Date): Update => {
    const values = new Map<string, StoredValue>([['updatedAt', updatedAt]]);
    const nothing = { paths: [], remove: [], add: [] };
    const changes: Changes = { values, merges: new Map(), links, references: nothing, uniqueKeys: nothing };
    return { kind: 'update', type: typeOf(type), id, changes };
  };
  const change = (name: string, link: LinkChange, ranks: readonly Rank[]): Changes['links'] => [
    { attribute: relationOf('article', name), ...link, ranks },
  ];
  return {
    typeOf,
    update: (id, name, link, updatedAt = new Date()) => updateOf('article', id, change(name, link, []), updatedAt),
    takeOver: async (id, card, updatedAt = new Date()) => {
      const first = updateOf('article', id, change('seoCard', set(card), [await nextRank(1)]), updatedAt);
      return [first, ...relationWrites(first.type, id, first.changes.links, [], [])];
    },
    fromOther: async (type, id, name, link) => {
      const reserved = await nextRank(link.connect.length + 1);
      const ranks = link.connect.map((_, index) => reserved + 1 + index);
      const inverse = [{ attribute: relationOf(type, name), ...link, ranks, reserved }];
      const { changes, ...update } = updateOf(type, id, [], new Date());
      const sets = replacedSides(inverse, []);
      const marks = marksOf([], inverse, []);
      const first = { ...update, changes: { ...changes, marks, ...(sets.size > 0 && { sets }) } };
      return [first, ...relationWrites(first.type, id, [], [], inverse)];
    },
  };
}
