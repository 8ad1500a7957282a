import { isLocalizations } from '../../content-types/model/localized.js';
import type { MorphAttribute, RelationAttribute } from '../../content-types/model/types.js';
import { arrange } from '../../query/list-order.js';
import type { LinkChange, Links, MorphLink, Rank, Reference } from '../../query/mutation.js';
import { listIn, someOf, type Draft } from './draft.js';
import { isExclusive, isRanked, morphReference, RANKS, REFERENCES } from './relation.js';

/** A link of an entry in a top-level relation, with its rank, see `relation.ts`. */
interface StoredLink {
  readonly id: number;
  readonly rank: Rank | undefined;
}

const ranksIn = (draft: Draft): Readonly<Record<string, unknown>> =>
  (draft.get(RANKS) as Readonly<Record<string, unknown>> | undefined) ?? {};

/** The links of an entry in a relation. */
export function linksIn(draft: Draft, name: string): readonly StoredLink[] {
  const ranks = listIn(ranksIn(draft)[name]);
  return listIn(draft.get(name)).map((id, index) => ({ id: Number(id), rank: rankIn(ranks[index]) }));
}

const rankIn = (rank: unknown): Rank | undefined =>
  rank === undefined || rank === null || typeof rank === 'string' ? (rank ?? undefined) : Number(rank);

/** Stores the links of an entry in a relation: of several, the last is that of a relation to one. */
export function setLinks(draft: Draft, { name, many }: RelationAttribute, links: readonly StoredLink[]): void {
  const column = (list: readonly unknown[]): unknown => (many ? someOf(list) : list.at(-1));
  draft.set(name, column(links.map(({ id }) => id)));
  const ranked = links.filter(({ rank }) => rank !== undefined);
  const { [name]: former, ...others } = ranksIn(draft);
  if (ranked.length === 0 && former === undefined) return;
  const ranks =
    ranked.length === 0 ? others : { ...ranksIn(draft), [name]: column(links.map(({ rank }) => rank ?? 0)) };
  draft.set(RANKS, Object.keys(ranks).length === 0 ? undefined : ranks);
}

/**
 * Changes a relation that the entry stores. An entry that is linked keeps its rank, which is its place in the order of the other side.
 * @param rank of new links
 * @throws AppError invalidValue for an anchor that is not linked
 */
export function changeLinks(draft: Draft, change: Links, rank: number | undefined): void {
  const { attribute, connect } = change;
  const storedLinks = linksIn(draft, attribute.name);
  const former = new Map(storedLinks.map((link) => [link.id, link.rank]));
  const isLocale = isLocalizations(attribute, attribute.target);
  const fresh = new Map(connect.map((link) => [link.id, isLocale ? (link.locale ?? '') : (link.rank ?? rank)]));
  const rankOf = (id: number): Rank | undefined => {
    if (!isLocale && !isRanked(attribute)) return undefined;
    const [own, next] = [former.get(id), fresh.get(id)];
    // Linking the only entry of a target again counts as a later link.
    return isExclusive(attribute) ? (next ?? own) : (own ?? next);
  };
  const ids = arrangeIds(
    storedLinks.map(({ id }) => id),
    attribute.many,
    change,
  );
  setLinks(
    draft,
    attribute,
    ids.map((id) => ({ id, rank: rankOf(id) })),
  );
}

/** The ids of a relation after a change. @throws AppError invalidValue for an anchor that is not linked */
export function arrangeIds(ids: readonly number[], many: boolean, change: LinkChange): readonly number[] {
  if (many) return arrange(ids, change);
  const last = change.connect.at(-1);
  if (last !== undefined) return [last.id];
  return change.replaces ? [] : ids.filter((id) => !change.disconnect.includes(id));
}

/** Links an entry to a target, whose side decides about the rank. */
export function linkOwner(draft: Draft, attribute: RelationAttribute, target: number, rank: Rank | undefined): void {
  const storedLinks = linksIn(draft, attribute.name);
  const link = { id: target, rank };
  const isLinked = storedLinks.some(({ id }) => id === target);
  const linked = storedLinks.map((other) => (other.id === target ? link : other));
  setLinks(draft, attribute, attribute.many ? (isLinked ? linked : [...storedLinks, link]) : [link]);
}

/** Removes targets from a relation of an entry. */
export function unlinkOwner(draft: Draft, attribute: RelationAttribute, target: number): void {
  const storedLinks = linksIn(draft, attribute.name);
  if (storedLinks.some(({ id }) => id === target))
    setLinks(
      draft,
      attribute,
      storedLinks.filter(({ id }) => id !== target),
    );
}

const referencesIn = (draft: Draft): readonly Reference[] => listIn(draft.get(REFERENCES)) as readonly Reference[];

/** Links an entry to a target in a morph relation, with its place in the order of the target's side. */
export function attachOwner(draft: Draft, { name, many }: MorphAttribute, target: MorphLink, rank: number): void {
  const reference = morphReference(name, target);
  const others = many ? listIn(draft.get(name)).filter((link) => !isLink(link, target)) : [];
  const stays = ({ a, r }: Reference): boolean => a !== name || (many && r !== reference.r);
  draft.set(name, many ? [...others, target] : target);
  draft.set(REFERENCES, [...referencesIn(draft).filter(stays), { ...reference, n: rank }]);
}

/** Removes a target from a morph relation of an entry. */
export function detachOwner(draft: Draft, { name, many }: MorphAttribute, target: MorphLink): void {
  const reference = morphReference(name, target);
  const links = listIn(draft.get(name));
  const left = links.filter((link) => !isLink(link, target));
  if (left.length === links.length) return;
  draft.set(name, many ? someOf(left) : left[0]);
  draft.set(REFERENCES, someOf(referencesIn(draft).filter(({ a, r }) => a !== reference.a || r !== reference.r)));
}

const isLink = (link: unknown, { __type, id }: MorphLink): boolean => {
  const storedLink = link as { readonly __type: string; readonly id: unknown };
  return storedLink.__type === __type && Number(storedLink.id) === id;
};
