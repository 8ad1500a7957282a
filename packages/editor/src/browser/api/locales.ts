import type { Locale } from '../model/schema.js';
import type { Api } from './api.js';

/** Replaces the languages of entries. */
export const writeLocales = async (api: Api, locales: readonly Pick<Locale, 'code' | 'isDefault'>[]): Promise<void> => {
  const defaultLocale = locales.find(({ isDefault }) => isDefault)?.code;
  await api.send('PUT', 'i18n/locales', { body: { defaultLocale, locales: locales.map(({ code }) => code) } });
};
