import type { Outline } from '../load/outline.js';
import type { AttributeDefinition } from '../model/definition.js';

/** The side of a relation that an attribute is, and the attribute on the other side, if any. */
export interface OtherSide {
  readonly side: 'owner' | 'inverse';
  readonly inverse?: string;
}

/**
 * The other side of an attribute whose `mappedBy` does not exist. No document has a value by this name, so such a
 * relation is empty, as in Strapi v4.
 */
export const UNLINKED = '_unlinked';

interface Relation {
  readonly key: string;
  readonly name: string;
  readonly definition: AttributeDefinition;
}

const keyOf = (uid: unknown, name: unknown): string => `${String(uid)} ${String(name)}`;

/**
 * Finds the two sides of every relation as Strapi v4 does, also where definitions contradict each other: every
 * attribute with `inversedBy` makes a join table for itself and for the attribute that it names, in the order of the
 * definitions, and the last table counts. `mappedBy` is not looked at. Source: `createJoinTable` in the relation
 * metadata of @strapi/database.
 */
export function findOtherSides(outlines: Iterable<Outline>): (uid: string, name: string) => OtherSide {
  const relations = relationsOf(outlines);
  /** The relation that made the join table of a relation. */
  const makers = new Map<string, Relation>();
  const other = ({ definition }: Relation): Relation | undefined =>
    relations.get(keyOf(definition['target'], definition['inversedBy']));
  for (const relation of relations.values()) {
    const named = other(relation);
    if (relation.definition['mappedBy'] !== undefined || named === undefined) continue;
    makers.set(relation.key, relation);
    makers.set(named.key, relation);
  }
  return (uid, name) => {
    const key = keyOf(uid, name);
    const relation = relations.get(key);
    const maker = makers.get(key);
    const isMapped = relation?.definition['mappedBy'] !== undefined;
    if (relation === undefined || maker === undefined) return isMapped ? unlinked : { side: 'owner' };
    const partner = maker === relation ? other(maker) : maker;
    if (partner === undefined || makers.get(partner.key) !== maker)
      return maker === relation ? { side: 'owner' } : unlinked;
    return { side: storesIds(relation, maker, partner) ? 'owner' : 'inverse', inverse: partner.name };
  };
}

const unlinked: OtherSide = { side: 'inverse', inverse: UNLINKED };

/** Ids are stored on the to-one side, otherwise with the relation that creates the join table in Strapi. */
function storesIds({ key, definition }: Relation, maker: Relation, partner: Relation): boolean {
  const isOne = definition['relation'] === 'manyToOne';
  return isOne === (partner.definition['relation'] === 'manyToOne') ? key === maker.key : isOne;
}

function relationsOf(outlines: Iterable<Outline>): ReadonlyMap<string, Relation> {
  const relations = new Map<string, Relation>();
  for (const { schema, attributes } of outlines) {
    for (const [name, definition] of attributes) {
      const key = keyOf(schema.uid, name);
      if (definition.type === 'relation') relations.set(key, { key, name, definition });
    }
  }
  return relations;
}
