import { isDeepStrictEqual } from 'node:util';
import type { Db, Document } from 'mongodb';
import { isLocalized, sharedAttributes } from '../../../content-types/model/localized.js';
import type { ContentType, ScalarAttribute } from '../../../content-types/model/types.js';
import type { Finding } from './violation.js';
import { describeValue, isId } from './stored-kinds.js';
import type { Scan } from './scan.js';
import type { Rule } from './value-rules.js';

/** Entries of localized types have a locale; their localizations know them, are in others, and share what is shared. */
export async function groupsAreWhole(db: Db, type: ContentType, surveys: readonly Scan[]): Promise<Rule> {
  if (!isLocalized(type)) return () => [];
  const shared = sharedAttributes(type);
  const names = ['locale', 'localizations', '_rank.localizations', 'updatedAt', ...shared.map(({ name }) => name)];
  const ids = surveys.flatMap(({ document }) => localizationsOf(document));
  const found = await db
    .collection<{ _id: number; [name: string]: unknown }>(type.collectionName)
    .find({ _id: { $in: ids } }, { projection: Object.fromEntries(names.map((name) => [name, 1])) })
    .toArray();
  const byId = new Map(found.map(({ _id, ...rest }): [number, Document] => [_id, { _id, ...rest }]));
  return ({ document }) => {
    const { locale } = document;
    const hasLocale = typeof locale === 'string' && locale !== '';
    // Those that are not there are another rule's.
    const others = localizationsOf(document).flatMap((id) => byId.get(id) ?? []);
    return [
      ...(hasLocale ? [] : [{ path: 'locale', rule: `must be the code of a locale, is ${describeValue(locale)}` }]),
      ...checkLocales(document, byId),
      ...others.flatMap((other) => compare(document, other, type, shared)),
    ];
  };
}

const localizationsOf = ({ localizations }: Document): readonly number[] => [localizations].flat().filter(isId);

/** Beside the id of each localization stands its locale. */
function checkLocales(document: Document, byId: ReadonlyMap<number, Document>): readonly Finding[] {
  const ids = localizationsOf(document);
  const locales: readonly unknown[] = [(document['_rank'] as Document | undefined)?.['localizations'] ?? []].flat();
  const path = '_rank.localizations';
  if (locales.length !== ids.length) return [{ path, rule: 'must be a list of locales, one beside each localization' }];
  return ids.flatMap((id, index) => {
    const [said, other] = [locales[index], byId.get(id)];
    if (other === undefined || other['locale'] === said) return [];
    return [{ path, rule: `says ${describeValue(said)} of ${id}, which is ${describeValue(other['locale'])}` }];
  });
}

function compare(
  document: Document,
  other: Document,
  type: ContentType,
  shared: readonly ScalarAttribute[],
): readonly Finding[] {
  const differing = shared.filter(({ name }) => !isDeepStrictEqual(document[name], other[name]));
  const path = 'localizations';
  const [id, otherId] = [document['_id'] as number, other['_id'] as number];
  const known = localizationsOf(other).includes(id);
  const apart = document['locale'] !== other['locale'];
  const own = new Set(localizationsOf(document));
  const lacking = localizationsOf(other).filter((one) => known && one !== id && !own.has(one));
  const part = leave(type, id, otherId);
  const mend = haveRoom(document, other) ? join(type, document, otherId) : part;
  return [
    ...(known ? [] : [{ path, rule: `leads to ${otherId}, which does not lead back`, ...mend }]),
    ...lacking.map((one) => ({ path, rule: `lacks ${one}, which ${otherId} leads to`, ...mend })),
    ...(apart ? [] : [{ path, rule: `leads to ${otherId}, in the same locale`, ...part }]),
    ...differing.map((attribute) => ({
      path: attribute.name,
      rule: `is not what it is in ${otherId}, a localization`,
      ...(known && apart && !isNewer(other, document) && share(type, document, attribute)),
    })),
  ];
}

/** Has the content of two entries each locale once, if all that they know are its localizations? */
function haveRoom(one: Document, other: Document): boolean {
  const localeOf = new Map([one, other].flatMap((document) => [...knownLocales(document)]));
  return new Set(localeOf.values()).size === localeOf.size;
}

function knownLocales(document: Document): ReadonlyMap<unknown, unknown> {
  const locales: readonly unknown[] = [(document['_rank'] as Document | undefined)?.['localizations'] ?? []].flat();
  const others = localizationsOf(document).map((id, index) => [id, locales[index]] as const);
  return new Map<unknown, unknown>([[document['_id'], document['locale']], ...others]);
}

/** Lets localizations know each other, as one that was created meanwhile would have done. */
function join(type: ContentType, { _id, updatedAt }: Document, from: number): Pick<Finding, 'mend'> {
  return { mend: { kind: 'share', type, id: Number(_id), from, names: [], links: true, at: timeOf(updatedAt) } };
}

const timeOf = (updatedAt: unknown): Date => (updatedAt instanceof Date ? updatedAt : new Date(0));

/** Takes a localization out of an entry's. */
function leave(type: ContentType, id: number, other: number): Pick<Finding, 'mend'> {
  const attribute = type.attributes.get('localizations');
  if (attribute?.kind !== 'relation') return {};
  return { mend: { kind: 'unlink', type, attribute, targets: [other], owners: { only: [id] } } };
}

/** Where neither value has a number, that of the entry that was written last counts; of equal ones the first. */
function isNewer(one: Document, than: Document): boolean {
  const [at, other] = [Number(one['updatedAt'] ?? 0), Number(than['updatedAt'] ?? 0)];
  return at > other || (at === other && one['_id'] < than['_id']);
}

/** Gives all localizations the value that was written last. */
function share(type: ContentType, { _id: id, updatedAt }: Document, { name }: ScalarAttribute): Pick<Finding, 'mend'> {
  const at = timeOf(updatedAt);
  return { mend: { kind: 'share', type, id: Number(id), from: Number(id), names: [name], links: false, at } };
}
