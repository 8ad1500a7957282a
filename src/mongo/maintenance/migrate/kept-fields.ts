import type { Document } from 'mongodb';
import { isLocalized, sharedAttributes } from '../../../content-types/model/localized.js';
import type { ContentType } from '../../../content-types/model/types.js';
import {
  isExclusive,
  isIndexed,
  isRanked,
  referenceTo,
  uniqueKey,
  type Reference,
  type StoredValue,
} from '../../../query/mutation.js';
import { rankedRelations } from '../check/kept-rules.js';
import { isFields } from '../check/stored-kinds.js';
import { scanEntry } from '../check/scan-entry.js';
import { isUnique } from '../../indexes/indexes.js';

type FormerAttributes = ReadonlyMap<string, string>;
type KeptField = '_rank' | '_at' | '_set';

const noNames: FormerAttributes = new Map();

/**
 * What an entry keeps of its references and of unique values in components; undefined where there are none.
 * @param document under the present names of its attributes, but for `_refs`
 * @param names the former ones
 */
export function keptLists(document: Document, type: ContentType, names: FormerAttributes = noNames): Document {
  const { links, scalars } = scanEntry(document, type);
  const former: readonly Reference[] = Array.isArray(document['_refs']) ? document['_refs'] : [];
  // Those of relations to any type are at the top, where the path is the name.
  const linkedAt = new Map(former.map(({ a, r, n }) => [`${names.get(a) ?? a} ${r}`, n]));
  const references = links
    .filter(({ referred }) => referred)
    .map(({ path, target, id }): Reference => {
      const reference = { a: path, r: referenceTo(target, id) };
      const n = linkedAt.get(`${path} ${reference.r}`);
      return n === undefined ? reference : { ...reference, n };
    });
  const unique = scalars.flatMap(({ path, attribute, value, around }) =>
    around !== undefined && isUnique(attribute)
      ? [{ a: path, k: uniqueKey(around, attribute.name, value as StoredValue) }]
      : [],
  );
  return { _refs: nonEmpty(references), _unique: nonEmpty(unique) };
}

const nonEmpty = <T>(list: readonly T[]): readonly T[] | undefined => (list.length > 0 ? list : undefined);

const ranksOf = (document: Document): Document => (isFields(document['_rank']) ? document['_rank'] : {});

/** Ranks, and the numbers of shared values and of replaced links, under the names that the attributes have now. */
export function renameKept(document: Document, names: FormerAttributes = noNames): Document {
  return {
    ...document,
    ...renamed(document, '_rank', names),
    ...renamed(document, '_at', names),
    ...renamed(document, '_set', names),
  };
}

function renamed(document: Document, field: KeptField, names: FormerAttributes): Document {
  const kept = Object.entries(isFields(document[field]) ? document[field] : {});
  if (!kept.some(([name]) => names.has(name))) return {};
  return { [field]: Object.fromEntries(kept.map(([name, value]) => [names.get(name) ?? name, value])) };
}

/** What an entry keeps beside its values, and what its type no longer has a use for. */
interface Kept {
  readonly document: Document;
  /** What goes, in words. */
  readonly dropped: readonly string[];
}

/** Takes out of an entry the ranks, numbers and marks that the attributes and the kind of its type no longer give a meaning. */
export function dropUnused(document: Document, type: ContentType): Kept {
  const { attributes } = type;
  const shared = new Set(isLocalized(type) ? sharedAttributes(type).map(({ name }) => name) : []);
  const isOtherSide = (name: string): boolean => {
    const attribute = attributes.get(name);
    return attribute?.kind === 'morphed' || (attribute?.kind === 'relation' && attribute.side === 'inverse');
  };
  // Those of an attribute that the other side stores now move there with the links.
  const hasOneSide = (name: string): boolean => {
    const attribute = attributes.get(name);
    return attribute?.kind === 'relation' && isIndexed(attribute) && !isRanked(attribute) && name !== 'localizations';
  };
  const parts = [
    filtered(document, '_rank', (name) => !hasOneSide(name), 'has no order on another side any more'),
    filtered(document, '_at', (name) => shared.has(name), 'is no longer shared: the number of its write goes'),
    filtered(document, '_set', isOtherSide, 'is not stored on another side: the number of its last list goes'),
  ];
  const isSole = document['_sole'] !== undefined && type.kind !== 'singleType';
  return {
    document: Object.assign(
      { ...document },
      ...parts.map(({ fields }) => fields),
      isSole ? { _sole: undefined } : {},
    ) as Document,
    dropped: [...parts.flatMap(({ dropped }) => dropped), ...(isSole ? ['the mark of a single type goes'] : [])],
  };
}

function filtered(
  document: Document,
  field: KeptField,
  stays: (name: string) => boolean,
  why: string,
): { readonly fields: Document; readonly dropped: readonly string[] } {
  const kept = Object.entries(isFields(document[field]) ? document[field] : {});
  const left = kept.filter(([name]) => stays(name));
  if (left.length === kept.length) return { fields: {}, dropped: [] };
  const dropped = kept.filter(([name]) => !stays(name)).map(([name]) => `${name} ${why}`);
  return { fields: { [field]: left.length > 0 ? Object.fromEntries(left) : undefined }, dropped };
}

/** Gives relations that have another side only now an order there: that of their ids. */
export function fillRanks(
  document: Document,
  type: ContentType,
): { readonly document: Document; readonly ordered: readonly string[] } {
  const kept = ranksOf(document);
  const lacking = [...rankedRelations(type).values()].flatMap((attribute): readonly (readonly [string, unknown])[] => {
    const { name, many } = attribute;
    const ids: unknown = document[name];
    if (ids === undefined || isExclusive(attribute)) return [];
    const rank: unknown = kept[name];
    if (!many || !Array.isArray(ids)) return rank === undefined ? [[name, 0] as const] : [];
    const ranks: readonly unknown[] = Array.isArray(rank) ? rank : [];
    return ranks.length === ids.length ? [] : [[name, ids.map((_, index) => ranks[index] ?? 0)] as const];
  });
  if (lacking.length === 0) return { document, ordered: [] };
  return {
    document: { ...document, _rank: { ...kept, ...Object.fromEntries(lacking) } },
    ordered: lacking.map(([name]) => `${name} gets an order on its other side`),
  };
}
