import { AppError } from '../../errors/app-error.js';

/** Each further locale takes a read where entries are hidden from the caller. */
const MAX_LOCALES = 10;

/**
 * The locales of a query in the order of preference: `locale`, then `fallbackLocale`, a list or locales between commas.
 * @throws AppError badRequest
 */
export function parseFallback(locale: unknown, fallbackLocale: unknown, path: string): readonly string[] {
  if (typeof locale !== 'string' || locale === 'all')
    throw new AppError('badRequest', `${path} needs one locale in locale`);
  const codes: readonly unknown[] =
    typeof fallbackLocale === 'string'
      ? fallbackLocale.split(',')
      : Array.isArray(fallbackLocale)
        ? fallbackLocale
        : [];
  const isCode = (code: unknown): code is string => typeof code === 'string' && code !== '' && code !== 'all';
  if (codes.length === 0 || codes.length > MAX_LOCALES || !codes.every(isCode))
    throw new AppError('badRequest', `${path} must be 1 to ${MAX_LOCALES} locales`);
  return [...new Set([locale, ...codes])];
}
