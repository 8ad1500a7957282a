import { StartError } from '../../errors/start-error.js';
import type { Tolerate } from '../contract/plugin.js';
import type { Locale } from './locales.js';

/** A language tag, as far as it matters here: `en`, `pt-BR`, `zh-Hans-CN`; `all` means all of them. */
const CODE = /^(?!all$)[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$/;

/**
 * The locales that the plugins file declares: `{ defaultLocale: 'en', locales: ['en', 'fr'] }`. Each may be left out.
 * Undefined if both are absent: then the stored locales apply.
 * @param tolerate receives a line for each setting that has no effect, see `PluginFactory`
 * @throws StartError with the cause
 */
export function parseSettings(
  settings: Readonly<Record<string, unknown>>,
  tolerate?: Tolerate,
): readonly Locale[] | undefined {
  const { defaultLocale, locales = defaultLocale === undefined ? undefined : [defaultLocale] } = settings;
  for (const name of Object.keys(settings).filter((name) => name !== 'defaultLocale' && name !== 'locales')) {
    const problem = wrong(name, 'unknown', 'defaultLocale and locales');
    if (tolerate === undefined) throw problem;
    tolerate(`${problem.message}; it has no effect`);
  }
  if (locales === undefined) return undefined;
  if (!Array.isArray(locales) || locales.length === 0) {
    throw wrong('locales', 'not a list of codes', 'codes of languages, e.g. ["en", "pt-BR"]');
  }
  const codes = locales.map((code: unknown, index) => {
    if (typeof code === 'string' && CODE.test(code)) return code;
    throw wrong(`locales[${index}]`, show(code), 'the code of a language, e.g. "pt-BR"');
  });
  const chosen = codes.find((code) => code === (defaultLocale ?? codes[0]));
  if (chosen === undefined) throw wrong('defaultLocale', show(defaultLocale), `one of ${codes.join(', ')}`);
  return [...new Set(codes)].map((code) => ({ code, isDefault: code === chosen }));
}

const show = (value: unknown): string => (typeof value === 'string' ? `"${value}"` : `a ${typeof value}`);

const wrong = (name: string, actual: string, allowed: string): StartError =>
  new StartError(`i18n.config.${name} is ${actual}; allowed: ${allowed}`);
