import type { Document } from 'mongodb';
import type { ReadMorphPart, ReadZonePart, Slice } from '../compile/plan.js';
import { cut, sortComponents, type Link } from './order-entries.js';

/**
 * The components of a zone that the slices of their kinds leave, in their places. As Strapi v4 does, the sort of a kind
 * tells which of it are left, or their ids.
 */
export function cutZone(components: readonly Document[], on: ReadonlyMap<string, ReadZonePart>): readonly Document[] {
  return cutParts(components, on, ({ sort }, uid) => {
    const ofKind = components.filter(({ __component }) => __component === uid);
    return sort.length > 0
      ? sortComponents(ofKind, sort)
      : ofKind.toSorted((a, b) => Number(a['id']) - Number(b['id']));
  });
}

/** The same of the links of a morph, of those that lead to an entry which was found. */
export function cutLinks(
  links: readonly Link[],
  on: ReadonlyMap<string, ReadMorphPart>,
  find: (from: string) => ReadonlyMap<unknown, unknown>,
): readonly Link[] {
  return cutParts(links, on, ({ from, ordered }, type) => {
    const found = find(from);
    const ofType = links.filter(({ __type, id }) => __type === type && found.has(id));
    const places = new Map(ordered ? [...found.keys()].map((id, place) => [id, place]) : []);
    const placeOf = ({ id }: Link): number => places.get(id) ?? id;
    return ofType.toSorted((a, b) => placeOf(a) - placeOf(b));
  });
}

/** What is left of a list once each part of it was put in order and cut. */
function cutParts<T, P extends { readonly slice: Slice }>(
  list: readonly T[],
  on: ReadonlyMap<string, P>,
  inOrder: (part: P, name: string) => readonly T[],
): readonly T[] {
  const left = new Set([...on].flatMap(([name, part]) => cut(inOrder(part, name), part.slice)));
  return list.filter((one) => left.has(one));
}
