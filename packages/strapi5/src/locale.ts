import { parametersOf } from 'content-service/content-api';
import { AppError, isLocalized, isRecord, type ContentType, type Data } from 'content-service/plugin';

/** Names every locale in a request of Strapi 5. */
export const EVERY_LOCALE = '*';

/**
 * The core's parameter `locale` for a list. A condition on the locale at the first level of the filters replaces the
 * parameter (recorded: 14-filters/22-24); an empty one is none.
 */
export function localeOf({ locale, filters }: Data, type: ContentType): unknown {
  if (isLocalized(type) && isRecord(filters) && Object.hasOwn(filters, 'locale')) return ALL;
  if (locale === EVERY_LOCALE) return ALL;
  return locale === '' || locale === null ? undefined : locale;
}

/** The core's name for every locale, which is no locale here. */
const ALL = 'all';

/**
 * Whether a request for one entry names every locale: there is none for that, so it is not found (recorded:
 * 15-status-locale/25).
 */
export const namesEveryLocale = ({ locale }: Data, type: ContentType): boolean =>
  isLocalized(type) && locale === EVERY_LOCALE;

/** Whether a request names what is no locale here, although the core knows it: nothing is found. */
export const namesNoLocale = ({ locale }: Data, type: ContentType): boolean => isLocalized(type) && locale === ALL;

/** The locale of entries that a request does not name; undefined: the type is not localized. */
export const defaultLocaleOf = (type: ContentType): string | undefined =>
  isLocalized(type)
    ? parametersOf(type)
        .find(({ selects }) => selects?.attribute === 'locale')
        ?.selects?.otherwise?.()
    : undefined;

/**
 * The locale of the one entry that a request reads or writes, for all who ask; undefined: its type is not localized.
 * @throws AppError invalidValue for all locales, or a value that is none
 */
export function localeOfEntry(locale: unknown, type: ContentType): string | undefined {
  if (!isLocalized(type)) return undefined;
  if (locale === undefined || locale === null || locale === '') return defaultLocaleOf(type);
  if (typeof locale === 'string' && locale !== EVERY_LOCALE && locale !== ALL) return locale;
  throw new AppError(
    'invalidValue',
    `Invalid locale param ${JSON.stringify(locale).replaceAll('"', '')} provided. Document locales must be strings.`,
  );
}
