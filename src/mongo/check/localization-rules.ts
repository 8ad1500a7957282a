import { isDeepStrictEqual } from 'node:util';
import type { Db, Document } from 'mongodb';
import { isLocalized, sharedAttributes } from '../../content-types/localized.js';
import type { ContentType } from '../../content-types/types.js';
import type { Finding } from './breach.js';
import { describeValue, isId } from './stored-kinds.js';
import type { Survey } from './survey.js';
import type { Rule } from './value-rules.js';

/** Entries of localized types have a locale; their localizations know them, are in others, and share what is shared. */
export async function groupsAreWhole(db: Db, type: ContentType, surveys: readonly Survey[]): Promise<Rule> {
  if (!isLocalized(type)) return () => [];
  const shared = sharedAttributes(type).map(({ name }) => name);
  const names = ['locale', 'localizations', ...shared];
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
      ...others.flatMap((other) => compare(document, other, shared)),
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

function compare(document: Document, other: Document, shared: readonly string[]): readonly Finding[] {
  const differing = shared.filter((name) => !isDeepStrictEqual(document[name], other[name]));
  const path = 'localizations';
  const known = localizationsOf(other).includes(document['_id'] as number);
  return [
    ...(known ? [] : [{ path, rule: `leads to ${other['_id']}, which does not lead back` }]),
    ...(document['locale'] === other['locale'] ? [{ path, rule: `leads to ${other['_id']}, in the same locale` }] : []),
    ...differing.map((name) => ({ path: name, rule: `is not what it is in ${other['_id']}, a localization` })),
  ];
}
