import type { Document } from 'mongodb';
import type { ContentType } from '../../../content-types/model/types.js';
import type { Reference } from '../../../query/mutation.js';
import {
  fillRanks,
  hasRankPerId,
  isExclusive,
  isIndexed,
  isRanked,
  rankedRelations,
  RANKS,
  REFERENCES,
} from '../../stored/relation.js';
import { isFields } from '../check/stored-kinds.js';
import { referencesOf, scanEntry, uniqueKeysOf } from '../check/scan-entry.js';
import { someOf } from '../../stored/draft.js';

type FormerAttributes = ReadonlyMap<string, string>;

/**
 * The references and unique keys of an entry; undefined if there are none.
 * @param document with the current names of attributes, except in its references
 * @param names former names
 */
export function keptLists(document: Document, type: ContentType, names: FormerAttributes): Document {
  const scan = scanEntry(document, type);
  const former: readonly Reference[] = Array.isArray(document[REFERENCES]) ? document[REFERENCES] : [];
  // Those of morph relations are at the top level, where the path is the name.
  const linkedAt = new Map(former.map(({ a, r, n }) => [`${names.get(a) ?? a} ${r}`, n]));
  const references = referencesOf(scan).map(({ a, r }): Reference => {
    const n = linkedAt.get(`${a} ${r}`);
    return n === undefined ? { a, r } : { a, r, n };
  });
  return { [REFERENCES]: someOf(references), _unique: someOf(uniqueKeysOf(scan)) };
}

/** Ranks, by the current names of attributes. */
export function renameKept(document: Document, names: FormerAttributes): Document {
  const stored = Object.entries(isFields(document[RANKS]) ? document[RANKS] : {});
  if (!stored.some(([name]) => names.has(name))) return document;
  const ranks = Object.fromEntries(stored.map(([name, value]) => [names.get(name) ?? name, value]));
  return { ...document, [RANKS]: ranks };
}

/** The internal fields of an entry, and those that its type no longer uses. */
interface Kept {
  readonly document: Document;
  /** Descriptions of the removed data. */
  readonly dropped: readonly string[];
}

/** Removes the ranks and the mark of an entry that its type no longer uses. */
export function dropUnused(document: Document, type: ContentType): Kept {
  const { attributes } = type;
  // Ranks of an attribute that the other side now stores move there with the links.
  const hasOneSide = (name: string): boolean => {
    const attribute = attributes.get(name);
    return attribute !== undefined && isIndexed(attribute) && !isRanked(attribute) && name !== 'localizations';
  };
  const stored = Object.entries(isFields(document[RANKS]) ? document[RANKS] : {});
  const left = stored.filter(([name]) => !hasOneSide(name));
  const isRankUnused = left.length < stored.length;
  const ranks = left.length > 0 ? Object.fromEntries(left) : undefined;
  const isMarkedSingle = document['_sole'] !== undefined && type.kind !== 'singleType';
  return {
    document: { ...document, ...(isRankUnused && { [RANKS]: ranks }), ...(isMarkedSingle && { _sole: undefined }) },
    dropped: [
      ...stored.flatMap(([name]) => (hasOneSide(name) ? [`${name} no longer has an order on its other side`] : [])),
      ...(isMarkedSingle ? ['the mark of a single type is removed'] : []),
    ],
  };
}

/** Adds ranks to relations that have a new other side, in the order of ids. */
export function addRanks(
  document: Document,
  type: ContentType,
): { readonly document: Document; readonly ordered: readonly string[] } {
  const stored: Document = isFields(document[RANKS]) ? document[RANKS] : {};
  const lacking = [...rankedRelations(type).values()].flatMap((attribute): readonly (readonly [string, unknown])[] => {
    const { name } = attribute;
    const [ids, ranks] = [document[name] as unknown, stored[name] as unknown];
    if (ids === undefined || isExclusive(attribute) || hasRankPerId(ids, ranks)) return [];
    return [[name, fillRanks(ids, ranks)]];
  });
  if (lacking.length === 0) return { document, ordered: [] };
  return {
    document: { ...document, [RANKS]: { ...stored, ...Object.fromEntries(lacking) } },
    ordered: lacking.map(([name]) => `${name} gets an order on its other side`),
  };
}
