import type { Document } from 'mongodb';
import type { ContentType } from '../../content-types/types.js';
import { isSole, referenceTo, uniqueKey, type Rank, type StoredValue } from '../../query/write.js';
import { rankedRelations } from '../check/kept-rules.js';
import { isFields } from '../check/stored-kinds.js';
import { surveyEntry } from '../check/survey-entry.js';
import { isUnique } from '../indexes.js';

/** What an entry keeps of its references and of unique values in components; undefined where there are none. */
export function keptLists(document: Document, type: ContentType): Document {
  const { links, scalars } = surveyEntry(document, type);
  const references = links
    .filter(({ referred }) => referred)
    .map(({ path, target, id }) => ({ a: path, r: referenceTo(target, id) }));
  const unique = scalars.flatMap(({ path, attribute, value, around }) =>
    around !== undefined && isUnique(attribute)
      ? [{ a: path, k: uniqueKey(around, attribute.name, value as StoredValue) }]
      : [],
  );
  return { _refs: nonEmpty(references), _unique: nonEmpty(unique) };
}

const nonEmpty = <T>(list: readonly T[]): readonly T[] | undefined => (list.length > 0 ? list : undefined);

const ranksOf = (document: Document): Document => (isFields(document['_rank']) ? document['_rank'] : {});

/** The ranks under the names that their relations have now. */
export function renameRanks(document: Document, names: ReadonlyMap<string, string> = new Map()): Document {
  const ranks = Object.entries(ranksOf(document));
  if (!ranks.some(([name]) => names.has(name))) return document;
  return { ...document, _rank: Object.fromEntries(ranks.map(([name, rank]) => [names.get(name) ?? name, rank])) };
}

/** Gives relations that have another side only now an order there: that of their ids. */
export function fillRanks(
  document: Document,
  type: ContentType,
): { readonly document: Document; readonly ordered: readonly string[] } {
  const kept = ranksOf(document);
  const lacking = [...rankedRelations(type).values()].flatMap((attribute): readonly [string, Rank | Rank[]][] => {
    const { name, many } = attribute;
    const ids: unknown = document[name];
    if (ids === undefined || kept[name] !== undefined || isSole(attribute)) return [];
    return [[name, many && Array.isArray(ids) ? ids.map(() => 0) : 0]];
  });
  if (lacking.length === 0) return { document, ordered: [] };
  return {
    document: { ...document, _rank: { ...kept, ...Object.fromEntries(lacking) } },
    ordered: lacking.map(([name]) => `${name} gets an order on its other side`),
  };
}
