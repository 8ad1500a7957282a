import {
  documentIs,
  ifNotFound,
  parseQueryString,
  plainEntry,
  presentEntry,
  queryStringOf,
  systemCaller,
  type ContentApi,
} from 'content-service/content-api';
import { type PluginContext } from 'content-service/plugin';
import { EVERY_LOCALE } from '../locale.js';
import type { Settings } from '../settings.js';
import { withFilter } from '../status.js';
import { parseOne } from './parse-request.js';

/** The number of the entry that a request names by documentId, locale and status: guards of a project know entries by their numbers. */
export const createNumberOf =
  ({ documents, limits }: PluginContext, settings: Settings): NonNullable<ContentApi['numberOf']> =>
  async ({ type, id, request }) => {
    const { locale } = parseQueryString(queryStringOf(request));
    if (locale === EVERY_LOCALE) return undefined;
    const named = parseOne({ fields: ['id'], status: 'draft', ...(locale !== undefined && { locale }) }, type, {
      limits,
      ...settings,
    });
    const query = withFilter(named, documentIs(type, id));
    const read = { action: 'findByKey', query, caller: systemCaller, presenter: plainEntry } as const;
    const entry = await documents.read(read, presentEntry).catch(ifNotFound(undefined));
    return (entry as { readonly id: number } | undefined)?.id;
  };
