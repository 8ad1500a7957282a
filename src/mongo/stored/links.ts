import { isLocalizations } from '../../content-types/model/localized.js';
import type { MorphAttribute, RelationAttribute } from '../../content-types/model/types.js';
import { arrange } from '../../query/list-order.js';
import type { LinkChange, Links, MorphLink, Rank, Reference } from '../../query/mutation.js';
import { listIn, someOf, type EntryEdit } from './entry-edit.js';
import { isExclusive } from '../../content-types/model/exclusive.js';
import { isRanked, morphReference, RANKS, REFERENCES } from './relation.js';

/** A link of an entry in a top-level relation, with its rank, see `relation.ts`. */
interface StoredLink {
  readonly id: number;
  readonly rank: Rank | undefined;
}

const ranksIn = (edit: EntryEdit): Readonly<Record<string, unknown>> =>
  (edit.get(RANKS) as Readonly<Record<string, unknown>> | undefined) ?? {};

/** The links of an entry in a relation. */
export function linksIn(edit: EntryEdit, name: string): readonly StoredLink[] {
  const ranks = listIn(ranksIn(edit)[name]);
  return listIn(edit.get(name)).map((id, index) => ({ id: Number(id), rank: rankIn(ranks[index]) }));
}

const rankIn = (rank: unknown): Rank | undefined =>
  rank === undefined || rank === null || typeof rank === 'string' ? (rank ?? undefined) : Number(rank);

/** Stores the links of an entry in a relation: of several, the last is that of a relation to one. */
export function setLinks(edit: EntryEdit, { name, many }: RelationAttribute, links: readonly StoredLink[]): void {
  const column = (list: readonly unknown[]): unknown => (many ? someOf(list) : list.at(-1));
  edit.set(name, column(links.map(({ id }) => id)));
  const ranked = links.filter(({ rank }) => rank !== undefined);
  const { [name]: former, ...others } = ranksIn(edit);
  if (ranked.length === 0 && former === undefined) return;
  const ranks = ranked.length === 0 ? others : { ...ranksIn(edit), [name]: column(links.map(({ rank }) => rank ?? 0)) };
  edit.set(RANKS, Object.keys(ranks).length === 0 ? undefined : ranks);
}

/**
 * Changes a relation that the entry stores. An entry that is linked keeps its rank, which is its place in the order of
 * the other side.
 * @param rank of new links
 * @throws AppError invalidValue for an anchor that is not linked
 */
export function changeLinks(edit: EntryEdit, change: Links, rank: number | undefined): void {
  const { attribute, connect } = change;
  const storedLinks = linksIn(edit, attribute.name);
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
    edit,
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
export function linkOwner(edit: EntryEdit, attribute: RelationAttribute, target: number, rank: Rank | undefined): void {
  const storedLinks = linksIn(edit, attribute.name);
  const link = { id: target, rank };
  const isLinked = storedLinks.some(({ id }) => id === target);
  const linked = storedLinks.map((other) => (other.id === target ? link : other));
  setLinks(edit, attribute, attribute.many ? (isLinked ? linked : [...storedLinks, link]) : [link]);
}

/** Removes targets from a relation of an entry. */
export function unlinkOwner(edit: EntryEdit, attribute: RelationAttribute, target: number): void {
  const storedLinks = linksIn(edit, attribute.name);
  if (storedLinks.some(({ id }) => id === target))
    setLinks(
      edit,
      attribute,
      storedLinks.filter(({ id }) => id !== target),
    );
}

const referencesIn = (edit: EntryEdit): readonly Reference[] => listIn(edit.get(REFERENCES)) as readonly Reference[];

/** Links an entry to a target in a morph relation, with its place in the order of the target's side. */
export function attachOwner(edit: EntryEdit, { name, many }: MorphAttribute, target: MorphLink, rank: number): void {
  const reference = morphReference(name, target);
  const others = many ? listIn(edit.get(name)).filter((link) => !isLink(link, target)) : [];
  const stays = ({ a, r }: Reference): boolean => a !== name || (many && r !== reference.r);
  edit.set(name, many ? [...others, target] : target);
  edit.set(REFERENCES, [...referencesIn(edit).filter(stays), { ...reference, n: rank }]);
}

/** Removes a target from a morph relation of an entry. */
export function detachOwner(edit: EntryEdit, { name, many }: MorphAttribute, target: MorphLink): void {
  const reference = morphReference(name, target);
  const links = listIn(edit.get(name));
  const left = links.filter((link) => !isLink(link, target));
  if (left.length === links.length) return;
  edit.set(name, many ? someOf(left) : left[0]);
  edit.set(REFERENCES, someOf(referencesIn(edit).filter(({ a, r }) => a !== reference.a || r !== reference.r)));
}

const isLink = (link: unknown, { __type, id }: MorphLink): boolean => {
  const storedLink = link as { readonly __type: string; readonly id: unknown };
  return storedLink.__type === __type && Number(storedLink.id) === id;
};
