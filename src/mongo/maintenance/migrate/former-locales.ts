import type { Db } from 'mongodb';
import { asksForLocales } from '../../../content-types/model/localized.js';
import type { ContentType } from '../../../content-types/model/types.js';
import { pagesOf } from '../batches.js';
import { linkFields } from '../../stored/relation.js';
import type { StoredEntry } from '../../stored/stored-entry.js';

/** Types without locales, whose entries may still have some to remove. */
export const hasNoLocales = ({ attributes, pluginOptions }: ContentType): boolean =>
  !asksForLocales(pluginOptions) && !attributes.has('locale');

/**
 * The ids of entries of a collection that are superseded by another localization, batch by batch: of each group the one
 * in the default locale stays, otherwise the first.
 */
export async function* findTranslations(
  db: Db,
  collection: string,
  defaultLocale: string,
): AsyncGenerator<readonly number[]> {
  const entries = db.collection<StoredEntry>(collection);
  // An entry without a locale was kept by a migration that was interrupted.
  const isDefault = ({ locale = defaultLocale }: StoredEntry): boolean => locale === defaultLocale;
  const isBetter = (entry: StoredEntry, than: StoredEntry): boolean =>
    isDefault(entry) === isDefault(than) ? entry._id < than._id : isDefault(entry);
  for await (const batch of pagesOf(entries, { localizations: { $exists: true } }, ['locale', 'localizations'])) {
    const otherIds = batch.flatMap(({ localizations }) => localizations as readonly number[]);
    const others = await entries.find({ _id: { $in: otherIds } }, { projection: { locale: 1 } }).toArray();
    const byId = new Map(others.map((entry) => [entry._id, entry]));
    yield batch
      .filter((entry) =>
        (entry['localizations'] as readonly number[]).some((id) => {
          const other = byId.get(id);
          return other !== undefined && isBetter(other, entry);
        }),
      )
      .map(({ _id }) => _id);
  }
}

const localized = { $or: [{ locale: { $exists: true } }, { localizations: { $exists: true } }] };

/** The number of entries in a collection that still have a locale or localizations. */
export const countLocalized = (db: Db, collection: string): Promise<number> =>
  db.collection(collection).countDocuments(localized);

/** Removes locales and localizations from the remaining entries; yields their number, batch by batch. */
export async function* dropLocales(db: Db, collection: string): AsyncGenerator<number> {
  const entries = db.collection<StoredEntry>(collection);
  for await (const batch of pagesOf(entries, localized, [])) {
    const ids = batch.map(({ _id }) => _id);
    await entries.updateMany({ _id: { $in: ids } }, { $unset: { locale: '', ...linkFields('localizations', '', '') } });
    yield ids.length;
  }
}

/** The stored default locale; undefined if the service has never started with locales. */
export async function readDefaultLocale(db: Db, { collectionName }: ContentType): Promise<string | undefined> {
  const locale = await db.collection(collectionName).findOne({}, { sort: { isDefault: -1, _id: 1 } });
  return typeof locale?.['code'] === 'string' ? locale['code'] : undefined;
}
