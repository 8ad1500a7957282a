import { isLocalized, isRecord, type ContentType, type Data } from 'content-service/plugin';

/** Names every locale in a request of Strapi 5. */
export const EVERY_LOCALE = '*';

/**
 * The core's parameter `locale` for a list. A condition on the locale at the first level of the filters replaces the parameter (recorded: 14-filters/22-24);
 * an empty one is none.
 */
export function localeOf({ locale, filters }: Data, type: ContentType): unknown {
  if (isLocalized(type) && isRecord(filters) && Object.hasOwn(filters, 'locale')) return 'all';
  if (locale === EVERY_LOCALE) return 'all';
  return locale === '' || locale === null ? undefined : locale;
}

/** Whether a request for one entry names every locale: there is none for that, so it is not found (recorded: 15-status-locale/25). */
export const namesEveryLocale = ({ locale }: Data, type: ContentType): boolean =>
  isLocalized(type) && locale === EVERY_LOCALE;
