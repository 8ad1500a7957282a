import { asksForLocales, isLocalized, sharedAttributes } from '../../../content-types/model/localized.js';
import type { ContentType, RelationAttribute } from '../../../content-types/model/types.js';
import { isIndexed, isRanked, isExclusive, referenceTo, uniqueKey, type StoredValue } from '../../../query/mutation.js';
import { isUnique } from '../../indexes/indexes.js';
import type { Finding } from './violation.js';
import { describeKind, describeValue, isFields } from './stored-kinds.js';
import type { Scan } from './scan.js';
import type { Rule } from './value-rules.js';

/** Rules on what an entry keeps beside its values: it must say what the values say. */
export const keptRules = {
  live: ({ document: { _live, publishedAt }, type: { draftAndPublish } }) => {
    const published = draftAndPublish && publishedAt !== undefined && publishedAt !== null;
    if (_live === (published ? 1 : undefined)) return [];
    if (published) return [{ path: '_live', rule: `must be 1, as publishedAt is there; is ${describeValue(_live)}` }];
    const why = draftAndPublish ? 'publishedAt is not there' : 'the type has no drafts';
    return [{ path: '_live', rule: `must be absent, as ${why}` }];
  },

  ranks: (survey) => {
    const { _rank: kept = {} } = survey.document;
    if (!isFields(kept)) return [{ path: '_rank', rule: `must hold ranks by relation, is ${describeKind(kept)}` }];
    const ranked = rankedRelations(survey.type);
    const strays = Object.keys(kept).filter((name) => !ranked.has(name) && !keepsLocales(name, survey.type));
    return [
      ...[...ranked.values()].flatMap((attribute) => checkRank(attribute, kept[attribute.name], survey)),
      ...strays.map((name) => ({ path: `_rank.${name}`, rule: 'must be absent: there is no order on the other side' })),
    ];
  },

  stamps: ({ type, document: { _at: kept } }) => {
    if (kept === undefined) return [];
    const shared = new Set(isLocalized(type) ? sharedAttributes(type).map(({ name }) => name) : []);
    if (!isFields(kept) || Object.keys(kept).length === 0) {
      return [{ path: '_at', rule: `must hold numbers by shared attribute, is ${describeValue(kept)}` }];
    }
    return Object.entries(kept).flatMap(([name, stamp]) => {
      const path = `_at.${name}`;
      if (!shared.has(name)) return [{ path, rule: 'must be absent: localizations share no value of this name' }];
      return Number.isFinite(stamp) ? [] : [{ path, rule: `must be a number, is ${describeValue(stamp)}` }];
    });
  },

  sets: ({ type, document: { _set: kept } }) => {
    if (kept === undefined) return [];
    if (!isFields(kept)) return [{ path: '_set', rule: `must hold numbers by relation, is ${describeValue(kept)}` }];
    return Object.entries(kept).flatMap(([name, rank]) => {
      const attribute = type.attributes.get(name);
      const isOther = attribute?.kind === 'morphed' || (attribute?.kind === 'relation' && attribute.side === 'inverse');
      const path = `_set.${name}`;
      if (!isOther) return [{ path, rule: 'must be absent: it is not a relation that the other side stores' }];
      return Number.isFinite(rank) ? [] : [{ path, rule: `must be a number, is ${describeValue(rank)}` }];
    });
  },

  sole: ({ type: { kind }, document: { _sole: mark } }) => {
    if (mark === undefined || (mark === 1 && kind === 'singleType')) return [];
    const must =
      kind === 'singleType' ? `be 1 or absent, is ${describeValue(mark)}` : 'be absent: it is not a single type';
    return [{ path: '_sole', rule: `must ${must}` }];
  },

  references: ({ links, document }) => {
    const said = links.filter(({ referred }) => referred);
    return compare(
      '_refs',
      'r',
      said.map(({ path, target, id }) => ({ a: path, text: referenceTo(target, id) })),
      document['_refs'],
    );
  },

  uniqueKeys: ({ scalars, document }) => {
    const said = scalars.filter(({ attribute, around }) => around !== undefined && isUnique(attribute));
    return compare(
      '_unique',
      'k',
      said.map(({ path, attribute, value, around }) => ({
        a: path,
        text: uniqueKey(around ?? '', attribute.name, value as StoredValue),
      })),
      document['_unique'],
    );
  },
} satisfies Readonly<Record<string, Rule>>;

/** Beside localizations stand locales: see `groupsAreWhole`. */
const keepsLocales = (name: string, type: ContentType): boolean =>
  name === 'localizations' && asksForLocales(type.pluginOptions);

export const rankedRelations = ({ attributes }: ContentType): ReadonlyMap<string, RelationAttribute> =>
  new Map(
    [...attributes.values()].flatMap((one) =>
      one.kind === 'relation' && isIndexed(one) && isRanked(one) ? [[one.name, one]] : [],
    ),
  );

/** Beside each id there is a number; in a relation of one to one there may be none. */
function checkRank(attribute: RelationAttribute, rank: unknown, { document }: Scan): readonly Finding[] {
  const { name, many } = attribute;
  const path = `_rank.${name}`;
  const ids: unknown = document[name];
  if (ids === undefined || ids === null)
    return rank === undefined ? [] : [{ path, rule: `must be absent, as ${name} is` }];
  if (rank === undefined && isExclusive(attribute)) return [];
  if (Array.isArray(ids) !== many) return []; // Another rule names it.
  const ranks: readonly unknown[] = [rank].flat();
  const isParallel = Array.isArray(rank) === many && ranks.length === [ids].flat().length;
  if (isParallel && ranks.every(Number.isFinite)) return [];
  return [{ path, rule: many ? 'must be a list of numbers, one beside each id' : 'must be a number' }];
}

interface Kept {
  readonly a: string;
  readonly text: string;
}

/** Compares a list of `{ a, r }` or `{ a, k }`, in any order, with what the entry's values say. */
function compare(name: string, key: 'r' | 'k', said: readonly Kept[], kept: unknown): readonly Finding[] {
  const list: readonly unknown[] = [kept ?? []].flat();
  if (kept !== null && kept !== undefined && !Array.isArray(kept)) {
    return [{ path: name, rule: `must be a list, is ${describeKind(kept)}` }];
  }
  const counts = new Map<string, number>();
  const count = (text: string, by: number): void => void counts.set(text, (counts.get(text) ?? 0) + by);
  for (const { a, text } of said) count(`{ a: ${a}, ${key}: ${text} }`, 1);
  for (const one of list) {
    const { a, [key]: text } = isFields(one) ? one : {};
    count(`{ a: ${String(a)}, ${key}: ${String(text)} }`, -1);
  }
  return [...counts].flatMap(([text, missing]) => {
    if (missing === 0) return [];
    return [{ path: name, rule: missing > 0 ? `lacks ${text}` : `has ${text}, which the entry does not say` }];
  });
}
