import { english } from './english.js';

/** All sentences of the editor in one language. */
export type Texts = typeof english;

/** The tables that there are, by the code of a language. */
export const tables: Readonly<Record<string, Texts>> = { en: english };

/** The table of the first preferred language that has one, or English. For `fr-CA` that of `fr` serves too. */
export const chooseTexts = (available: Readonly<Record<string, Texts>>, preferred: readonly string[]): Texts =>
  preferred.flatMap((code) => available[code] ?? available[code.split('-', 1)[0] ?? ''] ?? [])[0] ?? english;
