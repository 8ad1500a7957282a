import { parseQueryString, queryStringOf, type ContentApi } from 'content-service/content-api';
import type { PluginContext } from 'content-service/plugin';
import { EVERY_LOCALE, writtenLocale } from '../locale.js';

/** The number of the entry that a request names by documentId and locale: guards of a project know entries by their numbers. */
export const createNumberOf =
  ({ documents }: Pick<PluginContext, 'documents'>): NonNullable<ContentApi['numberOf']> =>
  async ({ type, id, request }) => {
    const { locale } = parseQueryString(queryStringOf(request));
    if (locale === EVERY_LOCALE) return undefined;
    const code = writtenLocale(locale, type);
    const entries = await documents.identify(type, [id]);
    return entries.find((entry) => code === undefined || entry.locale === code)?.id;
  };
