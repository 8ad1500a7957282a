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
  ranksField,
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

/**
 * The ranks and the mark of an entry as its type uses them: unused ones are removed, and relations with a new other side get ranks in the
 * order of ids.
 * @param names former names
 */
export function migrateKept(document: Document, type: ContentType, names: FormerAttributes) {
  // Ranks of an attribute that the other side now stores move there with the links.
  const hasOneSide = (name: string): boolean => {
    const attribute = type.attributes.get(name);
    return attribute !== undefined && isIndexed(attribute) && !isRanked(attribute) && name !== 'localizations';
  };
  const stored = Object.entries(isFields(document[RANKS]) ? document[RANKS] : {}).map(
    ([name, value]): readonly [string, unknown] => [names.get(name) ?? name, value],
  );
  const kept = Object.fromEntries(stored.filter(([name]) => !hasOneSide(name)));
  const added = [...rankedRelations(type).values()].flatMap((attribute): readonly (readonly [string, unknown])[] => {
    const { name } = attribute;
    const [ids, ranks] = [document[name] as unknown, kept[name]];
    return ids === undefined || isExclusive(attribute) || hasRankPerId(ids, ranks)
      ? []
      : [[name, fillRanks(ids, ranks)]];
  });
  const ranks = Object.entries({ ...kept, ...Object.fromEntries(added) });
  const isMarkedSingle = document['_sole'] !== undefined && type.kind !== 'singleType';
  return {
    document: {
      ...document,
      ...(stored.length > 0 && { [RANKS]: undefined }),
      ...ranksField(ranks),
      ...(isMarkedSingle && { _sole: undefined }),
    },
    /** Descriptions of the changes. */
    changes: [
      ...added.map(([name]) => `${name} gets an order on its other side`),
      ...stored.flatMap(([name]) => (hasOneSide(name) ? [`${name} no longer has an order on its other side`] : [])),
      ...(isMarkedSingle ? ['the mark of a single type is removed'] : []),
    ],
  };
}
