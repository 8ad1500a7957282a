import { english } from './english/english.js';
import type { Texts } from './texts.js';

/** The tables that there are, by the code of a language. Only the one that is used is loaded; English always is. */
export const tables = {
  en: async (): Promise<Texts> => english,
  de: async (): Promise<Texts> => (await import('./german/german.js')).german,
  fr: async (): Promise<Texts> => (await import('./french/french.js')).french,
};

export type Language = keyof typeof tables;

export const isLanguage = (code: unknown): code is Language => typeof code === 'string' && Object.hasOwn(tables, code);

/** The first preferred language that has a table, or English. For `fr-CA` that of `fr` serves too. */
export const chooseLanguage = (preferred: readonly string[]): Language =>
  preferred.map((tag) => tag.split('-', 1)[0] ?? '').find(isLanguage) ?? 'en';
