import type { FormContext } from 'content-service/content-api';
import { AppError, isLocalized, type ContentType } from 'content-service/plugin';
import { EVERY_LOCALE, localeOfEntry } from '../locale.js';

/** An entry as requests of Strapi 5 name it. */
interface NamedEntry {
  readonly type: ContentType;
  readonly documentId: string;
  /** The parameter of the request. */
  readonly locale: unknown;
}

/**
 * The number of the entry that a request names by documentId and locale: guards of a project know entries by their
 * numbers. Undefined: there is none.
 * @throws AppError badRequest for a deletion in every locale, of which each is another entry to guards, and as
 * `localeOfEntry`
 */
export async function numberOf(
  { documents }: Pick<FormContext, 'documents'>,
  { type, documentId, locale }: NamedEntry,
  action: 'find' | 'update' | 'delete',
): Promise<number | undefined> {
  if (locale === EVERY_LOCALE && isLocalized(type)) {
    if (action === 'delete')
      throw new AppError('badRequest', `Guards of the project decide about each entry of ${type.uid}: name its locale`);
    if (action === 'find') return undefined;
  }
  const code = localeOfEntry(locale, type);
  const entries = await documents.identify(type, [documentId]);
  return entries.find((entry) => code === undefined || entry.locale === code)?.id;
}
