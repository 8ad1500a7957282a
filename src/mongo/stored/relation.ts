import type { Document } from 'mongodb';
import type { Attribute, ContentType, RelationAttribute } from '../../content-types/model/types.js';
import type { AnyRelation } from '../../query/ast.js';
import type { MorphLink, Reference } from '../../query/mutation.js';

/*
 * The stored form of a relation, which no other file names:
 *
 * - A top-level relation is an id or a list of ids in the field of its attribute. If it has another side,
 *   `_rank.<attribute>` holds a number for a single id, or a list of numbers parallel to the list of ids.
 *   `localizations` has locales instead of numbers.
 * - Media, morphs and relations in components are stored in place, and their targets once more in the list `_refs`,
 *   which has one index for all. Its elements are `Reference`s.
 */

/** The field with the ranks of an entry, by attribute. */
export const RANKS = '_rank';

/** The field with the references of an entry. */
export const REFERENCES = '_refs';

/** Top-level relations have their own index; media, morphs and relations in components use references. */
export const isIndexed = (attribute: Attribute): attribute is RelationAttribute =>
  attribute.kind === 'relation' && attribute.side === 'owner' && !attribute.media;

/**
 * A relation with another side keeps a rank beside each id. If the other side is a list, ranks are its order; otherwise
 * the highest rank is the latest link.
 */
export const isRanked = ({ inverse }: RelationAttribute): boolean => inverse !== undefined;

/** Whether the entries of the target store the relation. */
export const isStoredInTarget = (attribute: Attribute | undefined): attribute is AnyRelation =>
  attribute?.kind === 'morphed' || (attribute?.kind === 'relation' && attribute.side === 'inverse');

/** The name of the target's attribute that refers back; empty if there is none. */
export const otherSideName = (attribute: AnyRelation): string =>
  attribute.kind === 'morphed' ? attribute.morphBy : (attribute.inverse ?? '');

/** The relations whose ranks the entries of a type store, by name. */
export const rankedRelations = ({ attributes }: ContentType): ReadonlyMap<string, RelationAttribute> =>
  new Map(
    [...attributes.values()]
      .filter(isIndexed)
      .filter(isRanked)
      .map((attribute) => [attribute.name, attribute]),
  );

/** The path of the ranks of a relation. */
export const rankPath = (name: string): string => `${RANKS}.${name}`;

/** The paths of the ids and of the ranks of a relation. */
export const linkPaths = (name: string): readonly [ids: string, ranks: string] => [name, rankPath(name)];

/** A value for each path of a relation, as updates, projections and indexes have them. */
export const linkFields = (name: string, ids: unknown, ranks: unknown): Document => ({
  [name]: ids,
  [rankPath(name)]: ranks,
});

/** The field of a document with these ranks by attribute; none if there are none. */
export const ranksField = (ranks: readonly (readonly [name: string, rank: unknown])[]): Document =>
  ranks.length > 0 ? { [RANKS]: Object.fromEntries(ranks) } : {};

/** What a document stores beside the ids of a relation: one rank, a list, or undefined. */
const storedRank = (document: Document, name: string): unknown => (document[RANKS] as Document | undefined)?.[name];

/** The ranks beside the ids of a relation, in the same order. */
export const storedRanks = (document: Document, name: string): readonly unknown[] =>
  [storedRank(document, name) ?? []].flat();

/** The rank beside one id of a relation; 0 if it has none. */
export function rankOf(document: Document, name: string, id: number): number {
  const [ids, stored] = [document[name] as unknown, storedRank(document, name)];
  const rank = Array.isArray(ids) ? (stored as readonly unknown[] | undefined)?.[ids.indexOf(id)] : stored;
  return (rank as number | undefined) ?? 0;
}

/** Whether one rank, of any type, is stored beside each of these ids; a single id and a list are stored differently. */
export function hasRankPerId(ids: unknown, ranks: unknown): boolean {
  const list: readonly unknown[] = [ranks ?? []].flat();
  const isOfKind = list.length === 0 || Array.isArray(ranks) === Array.isArray(ids);
  return isOfKind && list.length === [ids].flat().length;
}

/** The stored ranks of these ids, and 0 where there is none. */
export function fillRanks(ids: unknown, ranks: unknown): unknown {
  const stored: readonly unknown[] = [ranks].flat();
  return Array.isArray(ids) ? ids.map((_, index) => stored[index] ?? 0) : (stored[0] ?? 0);
}

/** How a reference names its target. */
export const referenceTo = (target: ContentType, id: number): string => `${target.uid}:${id}`;

/** The reference of a top-level morph relation to its target. */
export const morphReference = (name: string, { __type, id }: MorphLink): Reference => ({
  a: name,
  r: `${__type}:${id}`,
});

/** A condition for all references to entries of a type: a semicolon comes after the colon. */
export const referencesTo = ({ uid }: ContentType): Document => ({ $gte: `${uid}:`, $lt: `${uid};` });

/** The id of the target of a reference. */
export const idOfReference = (reference: string): number => Number(reference.slice(reference.lastIndexOf(':') + 1));

/** The path of the targets of all references. */
export const REFERENCE_TARGETS = `${REFERENCES}.r`;

/** A filter: some reference of the entry satisfies the condition. */
export const someReference = (condition: Document): Document => ({ [REFERENCES]: { $elemMatch: condition } });
