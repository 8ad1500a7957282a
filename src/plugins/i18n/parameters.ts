import { bounds } from '../../config/bounds.js';
import { isLocalized } from '../../content-types/model/localized.js';
import type { QueryParameter } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';

/** `locale`: a code, a list of codes, or `all`; other values are checked where it applies, as in Strapi v4. */
export const localeParameter = {
  name: 'locale',
  part: 'scope',
  isOn: isLocalized,
  isInherited: true,
  parse: (value) => value,
  selects: { attribute: 'locale', all: 'all' },
  openApi: { schema: { type: 'string' }, description: 'E.g. `en`, or `all`' },
  graphql: { type: 'I18NLocaleCode' },
  typescript: 'string',
} as const satisfies QueryParameter;

/** `fallbackLocale`: the further locales of a query, in the order of preference. */
export const fallbackParameter: QueryParameter<readonly string[]> = {
  name: 'fallbackLocale',
  part: 'state',
  isOn: isLocalized,
  parse: parseFallback,
  alternatives: 'localizations',
  openApi: {
    description: 'Further locales, e.g. `fr,en`: each entry is in the first of all locales that there is of it',
    schema: { type: 'string' },
  },
  graphql: { type: '[I18NLocaleCode!]', isAddition: true },
  typescript: 'string | readonly string[]',
};

/** A list, or locales between commas. @throws AppError badRequest */
function parseFallback(value: unknown, path: string): readonly string[] {
  const codes: readonly unknown[] = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [];
  const isCode = (code: unknown): code is string => typeof code === 'string' && code !== '' && code !== 'all';
  if (codes.length === 0 || codes.length > bounds.fallbackLocales || !codes.every(isCode))
    throw new AppError('badRequest', `${path} must be 1 to ${bounds.fallbackLocales} locales`);
  return codes;
}
