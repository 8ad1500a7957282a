import type { ContentType } from '../../content-types/model/types.js';
import { inForm } from '../contract/entry-form.js';
import { isLocalized } from '../../content-types/model/localized.js';
import { StartError } from '../../errors/start-error.js';
import { AppError } from '../../errors/app-error.js';
import { bounds } from '../../config/bounds.js';
import { isRecord } from '../../config/record.js';
import type { BuiltInContext, BuiltInFactory } from '../contract/built-in.js';
import { reference } from '../contract/content-type-routes.js';
import { mayReplaceLocales, REPLACE_LOCALES } from '../contract/developer.js';
import type { Route } from '../contract/plugin.js';
import { createStarted } from '../contract/started.js';
import { createTtlCache } from '../contract/ttl-cache.js';
import { localizationRoute } from './create-localization.js';
import { locale, localizedAttributes } from './definitions.js';
import { followLocalized, prepareLocalized } from './hooks.js';
import { isSame, listLocales, loadLocales, setLocales, type Locale, type Locales } from './locales.js';
import { addAvailableLocales, scopeToLocale } from './interceptors.js';
import { fallbackParameter, localeParameter } from './parameters.js';
import { parseSettings } from './settings.js';
import { refuseAll } from '../contract/write-terms.js';

/** The locale of projects that declare none. */
const fallbackLocale = { code: 'en', isDefault: true };

/** Internationalization: entries of localized content types in several languages. */
export const createI18n: BuiltInFactory = (settings, _findProvider, tolerate) => {
  const declared = parseSettings(settings, tolerate);
  const context = createStarted<BuiltInContext>('i18n');
  let locales: Locales = { codes: new Set([fallbackLocale.code]), default: fallbackLocale.code };
  let isUsed = false;
  /** Files of the project decide about the locales. */
  let isDeclared = declared !== undefined;
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
    parameters: [
      {
        ...localeParameter,
        selects: { ...localeParameter.selects, otherwise: () => locales.default },
        apply: scopeToLocale(() => locales),
        known: () => locales.codes,
      },
      fallbackParameter,
    ],
    interceptors: [addAvailableLocales(() => context.get().settings.entryMeta)],
    hooks: {
      prepare: prepareLocalized(running),
      follow: followLocalized(running),
      afterWrite: async ({ type }) => {
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
      isDeclared = true;
      const lines = await setLocales(context.get(), access.locales);
      await reload();
      return lines;
    },
    declaresLocales: () => isDeclared,
    actions: () => [REPLACE_LOCALES],
    routes: ({ contentTypes }) => [
      localesRoute(context.get),
      replaceLocalesRoute(context.get, () => isDeclared),
      ...[...contentTypes.values()].filter(isLocalized).map((type) => localizationRoute(context.get, type)),
    ],
  };
};

const localeList = { type: 'array', items: reference('I18NLocaleRecord') };

const localesRoute = (context: () => BuiltInContext): Route => ({
  method: 'GET',
  path: '/i18n/locales',
  action: 'plugin::i18n.locales.listLocales',
  handle: async ({ entryForm }) => {
    const { documents, entries, registry } = context();
    const type = registry.contentTypes.get(locale.uid) as ContentType;
    return { body: await inForm(documents, type, await listLocales(entries), entryForm) };
  },
  description: {
    summary: 'List locales',
    response: localeList,
  },
});

/** Its action is checked here, as who develops the project on this machine needs none. */
const replaceLocalesRoute = (context: () => BuiltInContext, isDeclared: () => boolean): Route => ({
  method: 'PUT',
  path: '/i18n/locales',
  action: undefined,
  refuses: refuseAll('it replaces all locales'),
  caching: 'never',
  description: {
    summary: 'Replace the locales, unless files of the project declare them',
    body: {
      type: 'object',
      required: ['locales'],
      properties: { defaultLocale: { type: 'string' }, locales: { type: 'array', items: { type: 'string' } } },
    },
    response: localeList,
  },
  handle: async (request) => {
    const { settings, entries } = context();
    if (!mayReplaceLocales(settings.environment, request)) throw new AppError('forbidden');
    if (isDeclared())
      throw new AppError('badRequest', 'Files of the project declare the locales: access.json or the plugins file');
    await setLocales(context(), parseLocales(request.body));
    return { body: await listLocales(entries) };
  },
});

/** The body has the form of the settings. @throws AppError badRequest */
function parseLocales(body: unknown): readonly Locale[] {
  try {
    const locales = isRecord(body) ? parseSettings(body) : undefined;
    if (locales !== undefined && locales.length <= bounds.locales) return locales;
    if (locales !== undefined) throw new AppError('badRequest', `A request declares at most ${bounds.locales} locales`);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    throw new AppError('badRequest', error.message.replace('i18n.config.', ''));
  }
  throw new AppError('badRequest', 'locales must be a list of codes');
}
