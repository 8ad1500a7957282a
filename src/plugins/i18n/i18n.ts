import { isLocalized } from '../../content-types/model/localized.js';
import type { PluginContext, PluginFactory, Route } from '../contract/plugin.js';
import { createStarted } from '../contract/started.js';
import { createTtlCache } from '../contract/ttl-cache.js';
import { localizationRoute } from './create-localization.js';
import { locale, localizedAttributes } from './definitions.js';
import { followLocalized, prepareLocalized } from './hooks.js';
import { isSame, listLocales, loadLocales, setLocales, type Locales } from './locales.js';
import { addAvailableLocales } from './interceptors.js';
import { fallbackParameter, localeParameter } from './parameters.js';
import { scopeToLocale } from './scope-to-locale.js';
import { parseSettings } from './settings.js';

/** The locale of projects that declare none. */
const fallbackLocale = { code: 'en', isDefault: true };

/** Internationalization: entries of localized content types in several languages. */
export const createI18n: PluginFactory = (settings) => {
  const declared = parseSettings(settings);
  const context = createStarted<PluginContext>('i18n');
  let locales: Locales = { codes: new Set([fallbackLocale.code]), default: fallbackLocale.code };
  let isUsed = false;
  let loads = 0;
  /** Keeps the object if the locales are equal; a load that was overtaken by another changes nothing. */
  const reload = async (): Promise<void> => {
    const load = (loads += 1);
    const loaded = await loadLocales(context.get().entries);
    if (load === loads && loaded !== undefined && !isSame(loaded, locales)) locales = loaded;
  };
  const refreshed = createTtlCache<string, void>(1, reload);
  const running = () => ({ ...context.get(), locales });
  return {
    name: 'i18n',
    contentTypes: [locale],
    attributes: localizedAttributes,
    graphql: async (started) => (await import('./graphql.js')).createGraphql(started, () => locales),
    parameters: [{ ...localeParameter, apply: scopeToLocale(() => locales) }, fallbackParameter],
    interceptors: [addAvailableLocales(() => context.get().settings.entryMeta)],
    hooks: {
      prepare: prepareLocalized(running),
      follow: followLocalized(running),
      after: async ({ type }) => {
        if (type.uid === locale.uid) await reload();
      },
    },
    start: async (started) => {
      context.set(started);
      isUsed = [...started.registry.contentTypes.values()].some(isLocalized);
      const stored = await loadLocales(started.entries);
      if (declared !== undefined || stored === undefined) {
        await setLocales(started, declared ?? [fallbackLocale]);
        await reload();
      } else locales = stored;
    },
    refresh: async () => {
      if (isUsed) await refreshed.get('locales');
    },
    applyAccess: async (access) => {
      if (access.locales.length === 0) return [];
      const lines = await setLocales(context.get(), access.locales);
      await reload();
      return lines;
    },
    routes: ({ contentTypes }) => [
      localesRoute(context.get),
      ...[...contentTypes.values()].filter(isLocalized).map((type) => localizationRoute(context.get, type)),
    ],
  };
};

const localesRoute = (context: () => PluginContext): Route => ({
  method: 'GET',
  path: '/i18n/locales',
  action: 'plugin::i18n.locales.listLocales',
  handle: async () => ({ body: await listLocales(context().entries) }),
  description: {
    summary: 'List locales',
    response: { type: 'array', items: { $ref: '#/components/schemas/I18NLocaleRecord' } },
  },
});
