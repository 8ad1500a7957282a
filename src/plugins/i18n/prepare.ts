import { isLocalized, sharedAttributes } from '../../content-types/model/localized.js';
import type { ContentType } from '../../content-types/model/types.js';
import type { Data } from '../../documents/context.js';
import type { Entries } from '../../documents/entries.js';
import type { DocumentHooks } from '../../documents/hooks.js';
import { AppError } from '../../errors/app-error.js';
import { readGroup } from './group.js';
import type { Locales } from './locales.js';

interface PrepareContext {
  readonly entries: Entries;
  readonly locales: Locales;
}

/**
 * Sets the locale of a new entry; an existing one keeps its locale, whatever is written. A localization of another entry
 * joins it and gets the values that they share; project code may name that entry in `localizations`.
 * @throws AppError application, notFound
 */
export const prepareLocalized =
  (context: () => PrepareContext): NonNullable<DocumentHooks['prepare']> =>
  (data, { action, type, caller, localizationOf }) => {
    if (!isLocalized(type)) return data;
    const { locale, localizations, ...rest } = data;
    if (action === 'update') return rest;
    const named = caller.kind === 'system' ? [localizations ?? []].flat()[0] : undefined;
    const joined = localizationOf ?? named;
    if (joined !== undefined) return joinGroup(context(), type, Number(joined), { ...rest, locale });
    const { codes, default: defaultLocale } = context().locales;
    const code = locale ?? defaultLocale;
    if (!isCode(code, codes)) throw new AppError('application', "This locale doesn't exist");
    return { ...rest, locale: code };
  };

const isCode = (code: unknown, codes: ReadonlySet<string>): boolean => typeof code === 'string' && codes.has(code);

async function joinGroup(
  { entries, locales }: PrepareContext,
  type: ContentType,
  id: number,
  data: Data,
): Promise<Data> {
  const shared = sharedAttributes(type).map(({ name }) => name);
  const group = await readGroup(entries, type, id, shared);
  const { locale } = data;
  if (locale === undefined || locale === null) throw new AppError('application', 'locale is missing');
  if (!isCode(locale, locales.codes)) throw new AppError('application', 'locale is invalid');
  if (group.some((member) => member.locale === locale)) throw new AppError('application', 'locale is already used');
  const values = Object.fromEntries(shared.map((name) => [name, group[0][name]]));
  return { ...values, ...data, localizations: group.map(({ id: other, locale: its }) => ({ id: other, locale: its })) };
}
