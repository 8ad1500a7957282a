import type { Data } from '../../config/record.js';
import type { ContentType } from '../../content-types/model/types.js';
import { system } from '../../documents/caller.js';
import type { EntryRequest } from '../../documents/context.js';
import type { Entries, Entry } from '../../documents/entries.js';
import { plainEntry } from '../../query/entry-presenter.js';
import type { BuiltInContext } from '../contract/built-in.js';
import type { StorageServices } from '../contract/plugin-context.js';
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
 * Replaces the stored locales by the declared ones in one transaction, one caller after the other across processes.
 * Entries in other locales stay, and can be read by their locale; new ones cannot be created. Repeating it changes
 * nothing. Returns a line for each change.
 */
export const setLocales = (
  {
    entries,
    documents,
    registry,
    storage,
  }: Pick<BuiltInContext, 'entries' | 'documents' | 'registry'> & { readonly storage: Pick<StorageServices, 'locks'> },
  locales: readonly Locale[],
): Promise<readonly string[]> =>
  storage.locks.hold('locales', async () => {
    const changes = changesOf(await listLocales(entries), locales);
    const type = registry.contentTypes.get(uid) as ContentType;
    await documents.batch(changes.map(({ operation }) => ({ ...operation, type, request })));
    return changes.map(({ line }) => line);
  });

const request: EntryRequest = { caller: system, presenter: plainEntry, selection: { fields: [], populate: [] } };

type Write =
  | { readonly kind: 'create'; readonly data: Data }
  | { readonly kind: 'update'; readonly id: number; readonly data: Data }
  | { readonly kind: 'delete'; readonly id: number };

interface Change {
  readonly line: string;
  readonly operation: Write;
}

function changesOf(stored: readonly Entry[], locales: readonly Locale[]): readonly Change[] {
  const byCode = new Map(stored.map((entry) => [String(entry['code']), entry]));
  const [onlyLocale, first] = [stored[0], locales[0]];
  // A single stored locale may be the default of a project without a declaration: the first declared locale replaces it
  // and gets its id.
  if (stored.length === 1 && onlyLocale !== undefined && first !== undefined && !byCode.has(first.code)) {
    byCode.clear();
    byCode.set(first.code, onlyLocale);
  }
  const declaredCodes = new Set(locales.map(({ code }) => code));
  return [
    ...withDefault(locales, byCode).flatMap((locale) => changeOf(locale, byCode.get(locale.code))),
    ...[...byCode]
      .filter(([code]) => !declaredCodes.has(code))
      .map(([code, { id }]): Change => ({ line: `Locale ${code}: removed`, operation: { kind: 'delete', id } })),
  ];
}

/** Exactly one is the default: the first declared default, otherwise the current one, otherwise the first. */
function withDefault(locales: readonly Locale[], byCode: ReadonlyMap<string, Entry>): readonly Locale[] {
  const chosen =
    locales.find(({ isDefault }) => isDefault === true) ??
    locales.find(({ code }) => byCode.get(code)?.['isDefault'] === true) ??
    locales[0];
  return locales.map((locale) => ({ ...locale, isDefault: locale === chosen }));
}

function changeOf({ code, name, isDefault }: Locale, stored: Entry | undefined): readonly Change[] {
  if (stored === undefined) {
    const data = { code, name: name ?? nameLocale(code), isDefault };
    return [{ line: `Locale ${code}: new`, operation: { kind: 'create', data } }];
  }
  const storedName = stored['code'] === code ? String(stored['name']) : nameLocale(code);
  const data: Data = { code, name: name ?? storedName, isDefault };
  if (Object.entries(data).every(([key, value]) => stored[key] === value)) return [];
  return [{ line: `Locale ${code}: changed`, operation: { kind: 'update', id: stored.id, data } }];
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
