import { createContext, use, type ReactNode } from 'react';
import { english } from './english.js';

/** All sentences of the editor in one language. */
export type Texts = typeof english;

/** By the code of a language. */
const languages: Readonly<Record<string, Texts>> = { en: english };

/** The first of the preferred languages that there is a table of: for `fr-CA` also that of `fr`. */
export const chooseTexts = (available: Readonly<Record<string, Texts>>, preferred: readonly string[]): Texts =>
  preferred.flatMap((code) => available[code] ?? available[code.split('-', 1)[0] ?? ''] ?? [])[0] ?? english;

const Context = createContext<Texts>(english);

/** Shows the pages in it in the language that the browser prefers. */
export function LanguageProvider({
  texts = chooseTexts(languages, navigator.languages),
  children,
}: {
  readonly texts?: Texts;
  readonly children: ReactNode;
}) {
  return <Context value={texts}>{children}</Context>;
}

export const useTexts = (): Texts => use(Context);
