import type { Document } from 'mongodb';
import type { MorphLink } from '../../query/mutation.js';
import { rankOf } from '../stored/relation.js';
import { compareTexts } from '../stored/compare-texts.js';
import type { ComponentSort, Slice, ReadMorphPart, ReadComponents } from '../compile/plan.js';

const isLink = (value: unknown): value is MorphLink => typeof value === 'object' && value !== null && '__type' in value;

/** Documents by the value of `by`; a document with several values is listed under each, those of a morph under `type id`. */
export function indexBy(documents: readonly Document[], by: string): Map<unknown, Document[]> {
  const index = new Map<unknown, Document[]>();
  for (const document of documents) {
    const value: unknown = document[by];
    for (const element of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
      const key = isLink(element) ? `${element.__type} ${element.id}` : element;
      const list = index.get(key);
      if (list === undefined) index.set(key, [document]);
      else list.push(document);
    }
  }
  return index;
}

/** The entries with an owner's ids, in the order of the ids or of the sort. */
export function ownedEntries(
  value: unknown,
  { ordered, slice }: { ordered: boolean; slice: Slice },
  byId: Map<unknown, Document[]>,
): readonly Document[] {
  const ids = Array.isArray(value) ? (value as readonly unknown[]) : value === undefined ? [] : [value];
  if (!ordered) return cut(entriesWithIds(ids, byId), slice);
  const requestedIds = new Set(ids);
  return cut(
    [...byId.values()].flat().filter((entry) => requestedIds.has(entry['_id'])),
    slice,
  );
}

/** A loop, because `flatMap` takes ten times as long and most entries of a page are looked up here. */
function entriesWithIds(ids: readonly unknown[], byId: Map<unknown, Document[]>): readonly Document[] {
  const entries: Document[] = [];
  for (const id of ids) {
    const entry = byId.get(id)?.[0];
    if (entry !== undefined) entries.push(entry);
  }
  return entries;
}

/** The requested slice. */
export const cut = <T>(list: readonly T[], { start, limit }: Slice): readonly T[] =>
  start === 0 && limit === undefined ? list : list.slice(start, limit === undefined ? undefined : start + limit);

/** The order of an inverse relation: by the rank stored with the owner's id, then by id. */
export function sortByRank(entries: readonly Document[], by: string, id: number): readonly Document[] {
  if (entries.length < 2) return entries;
  return entries.toSorted(
    (a, b) => rankOf(a, by, id) - rankOf(b, by, id) || (a['_id'] as number) - (b['_id'] as number),
  );
}

/** Components in the requested order. */
export function sortComponents(components: readonly Document[], sort: readonly ComponentSort[]): readonly Document[] {
  if (sort.length === 0) return components;
  return components.toSorted((a, b) => {
    for (const { path, descending, ...rules } of sort) {
      const order = compareValues(valueAt(a, path), valueAt(b, path), rules);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  });
}

const valueAt = (component: Document, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (value as Document | undefined)?.[name], component);

/** Like the database. */
function compareValues(
  a: unknown,
  b: unknown,
  { nulls, collation }: Pick<ComponentSort, 'nulls' | 'collation'>,
): number {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return (a === undefined) === (nulls === 'first') ? -1 : 1;
  if (collation !== undefined && typeof a === 'string' && typeof b === 'string') return compareTexts(a, b, collation);
  return (a as number) < (b as number) ? -1 : 1;
}

/**
 * The components of a zone within the slices of their types, at their positions. As in Strapi v4, the sort of a type
 * determines which of them remain.
 */
export function cutZone(components: readonly Document[], on: ReadonlyMap<string, ReadComponents>): readonly Document[] {
  return cutParts(components, on, ({ sort }, uid) => {
    const ofKind = components.filter(({ __component }) => __component === uid);
    return sort.length > 0
      ? sortComponents(ofKind, sort)
      : ofKind.toSorted((a, b) => Number(a['id']) - Number(b['id']));
  });
}

/** The links of a morph to existing entries, within the slices of their types, at their positions. */
export function cutLinks(
  links: readonly MorphLink[],
  on: ReadonlyMap<string, ReadMorphPart>,
  find: (from: string) => ReadonlyMap<unknown, unknown>,
): readonly MorphLink[] {
  return cutParts(links, on, ({ from, ordered }, type) => {
    const byId = find(from);
    const ofType = links.filter(({ __type, id }) => __type === type && byId.has(id));
    const places = new Map(ordered ? [...byId.keys()].map((id, position) => [id, position]) : []);
    const placeOf = ({ id }: MorphLink): number => places.get(id) ?? id;
    return ofType.toSorted((a, b) => placeOf(a) - placeOf(b));
  });
}

/** The rest of a list after each part was sorted and sliced. */
function cutParts<T, P extends { readonly slice: Slice }>(
  list: readonly T[],
  on: ReadonlyMap<string, P>,
  inOrder: (part: P, name: string) => readonly T[],
): readonly T[] {
  const left = new Set([...on].flatMap(([name, part]) => cut(inOrder(part, name), part.slice)));
  return list.filter((element) => left.has(element));
}
