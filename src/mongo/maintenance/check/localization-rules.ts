import { isDeepStrictEqual } from 'node:util';
import type { Db, Document } from 'mongodb';
import { isLocalized, sharedAttributes } from '../../../content-types/model/localized.js';
import type { Attribute, ContentType } from '../../../content-types/model/types.js';
import { holdsComponents } from '../../../content-types/model/walk.js';
import type { SharedValues } from '../../../query/mutation.js';
import { unchanged, unlinked, type Finding } from './violation.js';
import { linkPaths, rankPath, storedRanks } from '../../stored/relation.js';
import { isSharedAlike } from '../../stored/localized-value.js';
import { describeValue, isId } from './stored-kinds.js';
import type { Scan } from './scan-entry.js';
import type { Rule } from './value-rules.js';

/**
 * Entries of localized types have a locale; their localizations refer back, have other locales, and have the same
 * shared values.
 */
export async function groupsAreWhole(db: Db, type: ContentType, scans: readonly Scan[]): Promise<Rule> {
  if (!isLocalized(type)) return () => [];
  const shared = [...sharedAttributes(type), ...(type.documentId === undefined ? [] : [type.documentId])];
  const names = ['locale', ...linkPaths('localizations'), 'updatedAt', ...shared.map(({ name }) => name)];
  const ids = scans.flatMap(({ document }) => localizationsOf(document));
  const entries = await db
    .collection<{ _id: number; [name: string]: unknown }>(type.collectionName)
    .find({ _id: { $in: ids } }, { projection: Object.fromEntries(names.map((name) => [name, 1])) })
    .toArray();
  const byId = new Map(entries.map(({ _id, ...rest }): [number, Document] => [_id, { _id, ...rest }]));
  return ({ document }) => {
    const { locale } = document;
    const hasLocale = typeof locale === 'string' && locale !== '';
    // Another rule reports missing ones.
    const otherMembers = localizationsOf(document).flatMap((id) => byId.get(id) ?? []);
    return [
      ...(hasLocale ? [] : [{ path: 'locale', rule: `must be the code of a locale, is ${describeValue(locale)}` }]),
      ...checkLocales(document, byId),
      ...otherMembers.flatMap((other) => compare(document, other, type, shared)),
    ];
  };
}

const localizationsOf = ({ localizations }: Document): readonly number[] => [localizations].flat().filter(isId);

/** The locale of each localization is stored beside its id. */
function checkLocales(document: Document, byId: ReadonlyMap<number, Document>): readonly Finding[] {
  const ids = localizationsOf(document);
  const locales = storedRanks(document, 'localizations');
  const path = rankPath('localizations');
  if (locales.length !== ids.length) return [{ path, rule: 'must be a list of locales, one per localization' }];
  return ids.flatMap((id, index) => {
    const [locale, other] = [locales[index], byId.get(id)];
    if (other === undefined || other['locale'] === locale) return [];
    return [
      { path, rule: `contains ${describeValue(locale)} for ${id}, whose locale is ${describeValue(other['locale'])}` },
    ];
  });
}

function compare(
  document: Document,
  other: Document,
  type: ContentType,
  shared: readonly Attribute[],
): readonly Finding[] {
  const differing = shared.filter((attribute) => !isAlike(attribute, document[attribute.name], other[attribute.name]));
  const path = 'localizations';
  const [id, otherId] = [document['_id'] as number, other['_id'] as number];
  const isMutual = localizationsOf(other).includes(id);
  const apart = document['locale'] !== other['locale'];
  const ownIds = new Set(localizationsOf(document));
  const lacking = localizationsOf(other).filter((member) => isMutual && member !== id && !ownIds.has(member));
  const part = leaveGroup(type, id, otherId);
  // Links the two to each other.
  const repair = haveRoom(document, other) ? shareIn(type, document, { joined: [otherId], written: [] }) : part;
  return [
    ...(isMutual ? [] : [{ path, rule: `refers to ${otherId}, which does not refer back`, ...repair }]),
    ...lacking.map((member) => ({ path, rule: `lacks ${member}, to which ${otherId} refers`, ...repair })),
    ...(apart ? [] : [{ path, rule: `refers to ${otherId}, which has the same locale`, ...part }]),
    ...differing.map(({ name }) => ({
      path: name,
      rule: `differs from its value in ${otherId}, a localization`,
      // The value of the entry written last is used; of equal ones the first.
      ...(isMutual && apart && !isNewer(other, document) && shareIn(type, document, { joined: [], written: [name] })),
    })),
  ];
}

const isAlike = (attribute: Attribute, value: unknown, other: unknown): boolean =>
  holdsComponents(attribute) ? isSharedAlike(attribute, value, other) : isDeepStrictEqual(value, other);

/** Whether two groups have no locale in common, so that they can be merged. */
function haveRoom(entry: Document, other: Document): boolean {
  const localeOf = new Map([entry, other].flatMap((document) => [...localesById(document)]));
  return new Set(localeOf.values()).size === localeOf.size;
}

function localesById(document: Document): ReadonlyMap<unknown, unknown> {
  const locales = storedRanks(document, 'localizations');
  const otherMembers = localizationsOf(document).map((id, index) => [id, locales[index]] as const);
  return new Map<unknown, unknown>([[document['_id'], document['locale']], ...otherMembers]);
}

/** Removes a localization from an entry. */
function leaveGroup(type: ContentType, id: number, other: number): Pick<Finding, 'repair'> {
  const attribute = type.attributes.get('localizations');
  if (attribute?.kind !== 'relation') return {};
  return { repair: { writes: [[unlinked(type, attribute, id, [other])]] } };
}

/**
 * Whether an entry was written after another; of entries that were written at the same time, the first counts as newer.
 */
function isNewer(entry: Document, than: Document): boolean {
  const [at, other] = [Number(entry['updatedAt'] ?? 0), Number(than['updatedAt'] ?? 0)];
  return at > other || (at === other && entry['_id'] < than['_id']);
}

/** Gives all localizations of an entry the values of these attributes that it has, also those that join it. */
function shareIn(
  type: ContentType,
  { _id, updatedAt }: Document,
  values: Pick<SharedValues, 'joined' | 'written'>,
): Pick<Finding, 'repair'> {
  const id = Number(_id);
  const at = updatedAt instanceof Date ? updatedAt : new Date(0);
  return { repair: { writes: [[unchanged(type, id), { kind: 'share', type, id, shared: [], ...values, at }]] } };
}
