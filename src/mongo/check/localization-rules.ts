import { isDeepStrictEqual } from 'node:util';
import type { Db, Document } from 'mongodb';
import { attributeTypes } from '../../content-types/attribute-types.js';
import { isLocalized, sharedAttributes } from '../../content-types/localized.js';
import type { ContentType, ScalarAttribute } from '../../content-types/types.js';
import type { Finding } from './breach.js';
import { describeValue, isId } from './stored-kinds.js';
import type { Survey } from './survey.js';
import type { Rule } from './value-rules.js';

/** Entries of localized types have a locale; their localizations know them, are in others, and share what is shared. */
export async function groupsAreWhole(db: Db, type: ContentType, surveys: readonly Survey[]): Promise<Rule> {
  if (!isLocalized(type)) return () => [];
  const shared = sharedAttributes(type);
  const names = ['locale', 'localizations', 'updatedAt', ...shared.map(({ name }) => name)];
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
  const part = leave(type, id, otherId);
  return [
    ...(known ? [] : [{ path, rule: `leads to ${otherId}, which does not lead back`, ...part }]),
    ...(apart ? [] : [{ path, rule: `leads to ${otherId}, in the same locale`, ...part }]),
    ...differing.map((attribute) => ({
      path: attribute.name,
      rule: `is not what it is in ${otherId}, a localization`,
      ...(known && apart && isNewer(other, document) && follow(type, id, attribute, other[attribute.name])),
    })),
  ];
}

/** Takes a localization out of an entry's. */
function leave(type: ContentType, id: number, other: number): Pick<Finding, 'mend'> {
  const attribute = type.attributes.get('localizations');
  if (attribute?.kind !== 'relation') return {};
  return { mend: { kind: 'unlink', type, attribute, targets: [other], owners: { only: [id] } } };
}

/** What is shared is written to all of a group with the same time; of equal ones the first counts. */
function isNewer(one: Document, than: Document): boolean {
  const [at, other] = [Number(one['updatedAt'] ?? 0), Number(than['updatedAt'] ?? 0)];
  return at > other || (at === other && one['_id'] < than['_id']);
}

const none = { paths: [], remove: [], add: [] };

/** Takes a shared value over, as it would be written. */
function follow(
  type: ContentType,
  id: number,
  { name, type: kind }: ScalarAttribute,
  stored: unknown,
): Pick<Finding, 'mend'> {
  const { cast, decode = (value: unknown) => value, encode } = attributeTypes[kind];
  const value = stored === undefined ? undefined : encode(cast(decode(stored)));
  const changes = {
    values: new Map([[name, value]]),
    merges: new Map(),
    links: [],
    references: none,
    uniqueKeys: none,
  };
  return { mend: { kind: 'update', type, id, changes } };
}
