import { isLocalized } from '../../content-types/model/localized.js';
import type { ContentType } from '../../content-types/model/types.js';
import type { Interceptor } from '../../documents/interceptors.js';
import { AppError } from '../../errors/app-error.js';
import { both, type Filter } from '../../query/ast.js';
import type { Locales } from './locales.js';

/**
 * Limits lists and single types to one locale, the default one unless the query says otherwise. One entry by its id
 * and populated relations are in any locale, as recorded from Strapi v4.
 * @param known the locales at this moment
 */
export const scopeToLocale =
  (currentLocales: () => Locales): Interceptor =>
  (query, { action }) => {
    if ((action !== 'find' && action !== 'findSingle') || !isLocalized(query.type)) return query;
    const { type, locale = currentLocales().default } = query;
    return locale === 'all' ? query : { ...query, filter: both(query.filter, isIn(locale, type)) };
  };

/** @throws AppError invalidParameter for what is neither a code nor a list of codes */
function isIn(locale: unknown, { attributes }: ContentType): Filter {
  const field = attributes.get('locale');
  // As recorded: a parameter without a value is a locale that no entry has.
  if (locale === null || field?.kind !== 'scalar') return { kind: 'never' };
  const codes: readonly unknown[] = Array.isArray(locale) ? locale : [locale];
  if (!codes.every((code) => typeof code === 'string')) throw new AppError('invalidParameter', 'locale');
  return { kind: 'comparison', field, operator: codes.length === 1 ? '$eq' : '$in', operands: codes };
}
