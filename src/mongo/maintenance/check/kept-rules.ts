import { asksForLocales, isLocalized } from '../../../content-types/model/localized.js';
import { DOCUMENT_ID } from '../../../content-types/model/system-attributes.js';
import type { ContentType, RelationAttribute } from '../../../content-types/model/types.js';
import { isExclusive } from '../../../content-types/model/exclusive.js';
import { hasRankPerId, rankedRelations, rankPath, RANKS, REFERENCES } from '../../stored/relation.js';
import { isDocumentId } from '../../stored/document-id.js';
import { PUBLICATION, REVIEW } from '../../stored/review.js';
import { CHANGES, COPIED, isCopied } from '../../stored/working-copy.js';
import { CREATED_BY, UPDATED_BY } from '../../stored/writers.js';
import { LOCK } from '../../transactions/format.js';
import type { Finding } from './violation.js';
import { describeKind, describeValue, isFields } from './stored-kinds.js';
import { referencesOf, uniqueKeysOf, type Scan } from './scan-entry.js';
import type { Rule } from './value-rules.js';

/** Rules for internal fields, which must match the values. */
export const keptRules = {
  live: ({ document: { _live, publishedAt }, type: { draftAndPublish } }) => {
    const published = draftAndPublish && publishedAt !== undefined && publishedAt !== null;
    if (_live === (published ? 1 : undefined)) return [];
    if (published)
      return [{ path: '_live', rule: `must be 1, because publishedAt is set; is ${describeValue(_live)}` }];
    const why = draftAndPublish ? 'publishedAt is not set' : 'the type has no drafts';
    return [{ path: '_live', rule: `must be absent, because ${why}` }];
  },

  schedule: ({ type: { draftAndPublish }, document: { _schedule: stored } }) => {
    if (stored === undefined) return [];
    if (!draftAndPublish) return [{ path: '_schedule', rule: 'must be absent, because the type has no drafts' }];
    if (!isFields(stored)) return [{ path: '_schedule', rule: `must contain times, is ${describeKind(stored)}` }];
    const { publishAt, unpublishAt, due, error } = stored;
    const times = [publishAt, unpublishAt].filter((time) => time instanceof Date).map((time) => time.getTime());
    const isDue = due instanceof Date && due.getTime() === Math.min(...times);
    if (isDue || (due === undefined && typeof error === 'string')) return [];
    return [{ path: '_schedule.due', rule: `must be the earlier time, is ${describeValue(due)}` }];
  },

  review: ({ type: { draftAndPublish, copyOf }, document: { [REVIEW]: stored } }) => {
    if (stored === undefined) return [];
    if (!draftAndPublish) return [{ path: REVIEW, rule: 'must be absent, because the type has no drafts' }];
    if (copyOf !== undefined) return [{ path: REVIEW, rule: 'must be absent: the entry has it' }];
    const { tag, hash, ready, back, notes } = isFields(stored) ? stored : {};
    const isRequest = [tag, hash].every((value) => typeof value === 'string') && Array.isArray(notes);
    const isSince = [ready, back].filter((time) => time instanceof Date).length === 1;
    if (isRequest && isSince) return [];
    return [{ path: REVIEW, rule: 'must be a request to publish, that waits or is sent back' }];
  },

  publication: ({ type: { draftAndPublish, copyOf }, document: { [PUBLICATION]: stored } }) => {
    if (stored === undefined) return [];
    if (!draftAndPublish || copyOf !== undefined)
      return [{ path: PUBLICATION, rule: 'must be absent: only entries of types with drafts are published' }];
    const { by, at } = isFields(stored) ? stored : {};
    const isMark = typeof by === 'number' && at instanceof Date;
    return isMark ? [] : [{ path: PUBLICATION, rule: 'must say who has published the entry, and when' }];
  },

  ranks: (scan) => {
    const { [RANKS]: stored = {} } = scan.document;
    if (!isFields(stored)) return [{ path: RANKS, rule: `must contain ranks by relation, is ${describeKind(stored)}` }];
    const ranked = rankedRelations(scan.type);
    const unexpected = Object.keys(stored).filter((name) => !ranked.has(name) && !keepsLocales(name, scan.type));
    return [
      ...[...ranked.values()].flatMap((attribute) => checkRank(attribute, stored[attribute.name], scan)),
      ...unexpected.map((name) => ({
        path: rankPath(name),
        rule: 'must be absent: there is no order on the other side',
      })),
    ];
  },

  lock: ({ document: { [LOCK]: stored } }) => {
    const isLock = stored === undefined || (isFields(stored) && typeof stored['by'] === 'string');
    return isLock ? [] : [{ path: LOCK, rule: `must name a transaction, is ${describeValue(stored)}` }];
  },

  sole: ({ type: { kind }, document: { _sole: mark } }) => {
    if (mark === undefined || (mark === 1 && kind === 'singleType')) return [];
    const expected =
      kind === 'singleType' ? `be 1 or absent, is ${describeValue(mark)}` : 'be absent: it is not a single type';
    return [{ path: '_sole', rule: `must ${expected}` }];
  },

  copied: ({ type, document: { [COPIED]: mark, _live } }) => {
    if (mark === undefined) return [];
    if (type.copies === undefined) return [{ path: COPIED, rule: 'must be absent: the type has no working copies' }];
    if (_live !== 1 && !isLocalized(type))
      return [{ path: COPIED, rule: 'must be absent: only published entries have working copies' }];
    return mark === 1 ? [] : [{ path: COPIED, rule: `must be 1 or absent, is ${describeValue(mark)}` }];
  },

  changes: ({ type, document: { [CHANGES]: names } }) => {
    if (type.copyOf === undefined)
      return names === undefined ? [] : [{ path: CHANGES, rule: 'must be absent: it is no working copy' }];
    const isChange = (name: unknown): boolean => isCopied(String(name)) && type.attributes.has(String(name));
    if (Array.isArray(names) && names.length > 0 && new Set(names).size === names.length && names.every(isChange))
      return [];
    return [{ path: CHANGES, rule: `must name the attributes that the copy changes, is ${describeKind(names)}` }];
  },

  documentId: ({ type, document: { [DOCUMENT_ID]: value } }) => {
    // What an entry keeps while no plugin asks for it is right again when one does.
    if (type.documentId === undefined || isDocumentId(value)) return [];
    // A deleted entry gets one when it is restored.
    if (value === undefined && type.trashOf !== undefined) return [];
    if (value === undefined) return [{ path: DOCUMENT_ID, rule: 'is missing: migrate --apply gives the entry one' }];
    return [{ path: DOCUMENT_ID, rule: `must be letters and digits after a letter, is ${describeValue(value)}` }];
  },

  writers: ({ document }) =>
    [CREATED_BY, UPDATED_BY].flatMap((path) => {
      const { [path]: user } = document;
      if (user === undefined || Number.isInteger(user)) return [];
      return [{ path, rule: `must be the id of a user, is ${describeValue(user)}` }];
    }),

  references: (scan) => compare(REFERENCES, 'r', referencesOf(scan), scan.document[REFERENCES]),

  uniqueKeys: (scan) => compare('_unique', 'k', uniqueKeysOf(scan), scan.document['_unique']),
} satisfies Readonly<Record<string, Rule>>;

/** Localizations have locales instead of ranks: see `groupsAreWhole`. */
const keepsLocales = (name: string, type: ContentType): boolean =>
  name === 'localizations' && asksForLocales(type.pluginOptions);

/** Each id has a rank; in a one-to-one relation it is optional. */
function checkRank(attribute: RelationAttribute, rank: unknown, { document }: Scan): readonly Finding[] {
  const { name, many } = attribute;
  const path = rankPath(name);
  const ids: unknown = document[name];
  if (ids === undefined || ids === null)
    return rank === undefined ? [] : [{ path, rule: `must be absent, because ${name} is absent` }];
  if (rank === undefined && isExclusive(attribute)) return [];
  if (Array.isArray(ids) !== many) return []; // Another rule reports it.
  if (hasRankPerId(ids, rank) && [rank].flat().every(Number.isFinite)) return [];
  return [{ path, rule: many ? 'must be a list of numbers, one per id' : 'must be a number' }];
}

/** Compares a list of `{ a, r }` or `{ a, k }`, in any order, with the one that the values of the entry require. */
function compare<K extends 'r' | 'k'>(
  name: string,
  key: K,
  expected: readonly (Readonly<Record<K, string>> & { readonly a: string })[],
  stored: unknown,
): readonly Finding[] {
  const list: readonly unknown[] = [stored ?? []].flat();
  if (stored !== null && stored !== undefined && !Array.isArray(stored)) {
    return [{ path: name, rule: `must be a list, is ${describeKind(stored)}` }];
  }
  const counts = new Map<string, number>();
  const count = (item: unknown, by: number): void => {
    const { a, [key]: text } = isFields(item) ? item : {};
    const described = `{ a: ${String(a)}, ${key}: ${String(text)} }`;
    counts.set(described, (counts.get(described) ?? 0) + by);
  };
  for (const item of expected) count(item, 1);
  for (const item of list) count(item, -1);
  return [...counts].flatMap(([text, missing]) => {
    if (missing === 0) return [];
    return [
      { path: name, rule: missing > 0 ? `lacks ${text}` : `contains ${text}, which matches no value of the entry` },
    ];
  });
}
