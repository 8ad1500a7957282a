import type { Document } from 'mongodb';
import { isLocalized, sharedAttributes } from '../../../content-types/model/localized.js';
import type { ContentType } from '../../../content-types/model/types.js';
import type { Mark, Reference } from '../../../query/mutation.js';
import {
  fillRanks,
  hasRankPerId,
  isExclusive,
  isIndexed,
  isRanked,
  isStoredInTarget,
  rankedRelations,
  RANKS,
  REFERENCES,
} from '../../stored/relation.js';
import { isLink } from '../check/kept-rules.js';
import { isFields } from '../check/stored-kinds.js';
import { referencesOf, scanEntry, uniqueKeysOf } from '../check/scan-entry.js';

type FormerAttributes = ReadonlyMap<string, string>;
type KeptField = typeof RANKS | '_at' | '_set';

const noNames: FormerAttributes = new Map();

/**
 * The references and unique keys of an entry; undefined if there are none.
 * @param document with the current names of attributes, except in its references
 * @param names former names
 */
export function keptLists(document: Document, type: ContentType, names: FormerAttributes = noNames): Document {
  const scan = scanEntry(document, type);
  const former: readonly Reference[] = Array.isArray(document[REFERENCES]) ? document[REFERENCES] : [];
  // Those of morph relations are at the top level, where the path is the name.
  const linkedAt = new Map(former.map(({ a, r, n }) => [`${names.get(a) ?? a} ${r}`, n]));
  const references = referencesOf(scan).map(({ a, r }): Reference => {
    const n = linkedAt.get(`${a} ${r}`);
    return n === undefined ? { a, r } : { a, r, n };
  });
  return { [REFERENCES]: nonEmpty(references), _unique: nonEmpty(uniqueKeysOf(scan)) };
}

const nonEmpty = <T>(list: readonly T[]): readonly T[] | undefined => (list.length > 0 ? list : undefined);

/** Ranks and the numbers of shared values and replaced links, by the current names of attributes. */
export function renameKept(document: Document, names: FormerAttributes = noNames): Document {
  return {
    ...document,
    ...renamed(document, RANKS, names),
    ...renamed(document, '_at', names),
    ...renamed(document, '_set', names),
    ...(Array.isArray(document['_marks']) && { _marks: marksIn(document).map((mark) => renamedMark(mark, names)) }),
  };
}

const marksIn = ({ _marks: stored }: Document): readonly Mark[] => (Array.isArray(stored) ? (stored as Mark[]) : []);

const renamedMark = (mark: Mark, names: FormerAttributes): Mark => ({ ...mark, a: names.get(mark.a) ?? mark.a });

function renamed(document: Document, field: KeptField, names: FormerAttributes): Document {
  const stored = Object.entries(isFields(document[field]) ? document[field] : {});
  if (!stored.some(([name]) => names.has(name))) return {};
  return { [field]: Object.fromEntries(stored.map(([name, value]) => [names.get(name) ?? name, value])) };
}

/** The internal fields of an entry, and those that its type no longer uses. */
interface Kept {
  readonly document: Document;
  /** Descriptions of the removed data. */
  readonly dropped: readonly string[];
}

/** Removes the ranks, numbers and marks of an entry that its type no longer uses. */
export function dropUnused(document: Document, type: ContentType): Kept {
  const { attributes } = type;
  const shared = new Set(isLocalized(type) ? sharedAttributes(type).map(({ name }) => name) : []);
  // Ranks of an attribute that the other side now stores move there with the links.
  const hasOneSide = (name: string): boolean => {
    const attribute = attributes.get(name);
    return attribute !== undefined && isIndexed(attribute) && !isRanked(attribute) && name !== 'localizations';
  };
  const ranks = [
    filtered(document, RANKS, (name) => !hasOneSide(name), 'no longer has an order on its other side'),
    filtered(document, '_at', (name) => shared.has(name), 'is no longer shared: the number of its write is removed'),
    filtered(
      document,
      '_set',
      (name) => isStoredInTarget(attributes.get(name)),
      'is not stored on its other side: the number of its last list is removed',
    ),
  ];
  // They matter only to recovery, minutes after the write, so they are not reported.
  const marks = marksIn(document).filter(({ a }) => isLink(attributes.get(a)));
  const hasForeign = marks.length < marksIn(document).length;
  const isMarkedSingle = document['_sole'] !== undefined && type.kind !== 'singleType';
  return {
    document: Object.assign(
      { ...document },
      ...ranks.map(({ fields }) => fields),
      isMarkedSingle ? { _sole: undefined } : {},
      hasForeign ? { _marks: nonEmpty(marks) } : {},
    ) as Document,
    dropped: [
      ...ranks.flatMap(({ dropped }) => dropped),
      ...(isMarkedSingle ? ['the mark of a single type is removed'] : []),
    ],
  };
}

function filtered(
  document: Document,
  field: KeptField,
  stays: (name: string) => boolean,
  why: string,
): { readonly fields: Document; readonly dropped: readonly string[] } {
  const stored = Object.entries(isFields(document[field]) ? document[field] : {});
  const left = stored.filter(([name]) => stays(name));
  if (left.length === stored.length) return { fields: {}, dropped: [] };
  const dropped = stored.filter(([name]) => !stays(name)).map(([name]) => `${name} ${why}`);
  return { fields: { [field]: left.length > 0 ? Object.fromEntries(left) : undefined }, dropped };
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
