import type { Entries, Entry } from '../../documents/entries.js';
import { hasCode } from '../../errors/app-error.js';
import { locale as localeType } from './definitions.js';

/** A declared language of localized entries. */
export interface Locale {
  readonly code: string;
  /** Undefined: the stored name, or one derived from the code. */
  readonly name?: string | undefined;
  readonly isDefault?: boolean;
}

/** The allowed codes, and the default one. */
export interface Locales {
  readonly codes: ReadonlySet<string>;
  readonly default: string;
}

const { uid } = localeType;

/** The stored locales, in the order in which they were declared. */
export const listLocales = (entries: Entries): Promise<readonly Entry[]> => entries.findMany(uid, { sort: 'id' });

/** The cached locales; undefined if there are none. */
export async function loadLocales(entries: Entries): Promise<Locales | undefined> {
  const stored = await listLocales(entries);
  const chosen = stored.find(({ isDefault }) => isDefault === true) ?? stored[0];
  if (chosen === undefined) return undefined;
  return { codes: new Set(stored.map(({ code }) => String(code))), default: String(chosen['code']) };
}

export const isSame = (first: Locales, second: Locales): boolean =>
  first.default === second.default && [...first.codes].join() === [...second.codes].join();

/**
 * Replaces the stored locales by the declared ones. Entries in other locales stay, and can be read by their locale; new ones
 * cannot be created. Repeating it changes nothing. Returns a line for each change.
 */
export async function setLocales(
  { entries }: { readonly entries: Entries },
  locales: readonly Locale[],
): Promise<readonly string[]> {
  const stored = await listLocales(entries);
  const byCode = new Map(stored.map((entry) => [String(entry['code']), entry]));
  const [onlyLocale, first] = [stored[0], locales[0]];
  // A single stored locale may be the default of a project without a declaration: the first declared locale replaces it and gets its id.
  if (stored.length === 1 && onlyLocale !== undefined && first !== undefined && !byCode.has(first.code)) {
    byCode.clear();
    byCode.set(first.code, onlyLocale);
  }
  const declaredCodes = new Set(locales.map(({ code }) => code));
  const lines: string[] = [];
  for (const locale of withDefault(locales, byCode))
    lines.push(...(await store(entries, locale, byCode.get(locale.code))));
  for (const [code, { id }] of byCode) {
    if (declaredCodes.has(code)) continue;
    await entries.delete(uid, id);
    lines.push(`Locale ${code}: removed`);
  }
  return lines;
}

/** Exactly one is the default: the first declared default, otherwise the current one, otherwise the first. */
function withDefault(locales: readonly Locale[], byCode: ReadonlyMap<string, Entry>): readonly Locale[] {
  const chosen =
    locales.find(({ isDefault }) => isDefault === true) ??
    locales.find(({ code }) => byCode.get(code)?.['isDefault'] === true) ??
    locales[0];
  return locales.map((locale) => ({ ...locale, isDefault: locale === chosen }));
}

async function store(
  entries: Entries,
  { code, name, isDefault }: Locale,
  stored: Entry | undefined,
): Promise<readonly string[]> {
  if (stored === undefined) {
    try {
      await entries.create(uid, { code, name: name ?? nameLocale(code), isDefault });
    } catch (error) {
      // Another process of the service that starts concurrently may be faster.
      if (!hasCode(error, 'validation')) throw error;
    }
    return [`Locale ${code}: new`];
  }
  const storedName = stored['code'] === code ? String(stored['name']) : nameLocale(code);
  const data = { code, name: name ?? storedName, isDefault };
  const same = Object.entries(data).every(([key, value]) => stored[key] === value);
  if (same) return [];
  await entries.update(uid, stored.id, data);
  return [`Locale ${code}: changed`];
}

/** The display name of a locale, as in Strapi v4: `French (Canada) (fr-CA)`; only the code if it is not a language. */
export function nameLocale(code: string): string {
  const names = new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard', fallback: 'none' });
  try {
    const name = names.of(code);
    return name === undefined ? code : `${name} (${code})`;
  } catch {
    return code;
  }
}
