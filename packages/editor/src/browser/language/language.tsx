import { createContext, use, useEffect, useState, type ReactNode } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { keep, readKept } from '../api/kept.js';
import { chooseLanguage, tables, type Language } from './choose-language.js';
import { english } from './english/english.js';
import type { Texts } from './texts.js';
import { regionOf } from './time-of.js';

const KEY = 'content-service.language';

const Context = createContext<{ readonly texts: Texts; readonly choose: (language: Language) => void }>({
  texts: english,
  choose: () => undefined,
});

/** Reads the table of a language; without a network there is English. */
const load = async (language: Language): Promise<Texts> => tables[language]().catch(() => english);

/** The table of the language that was chosen in this browser, or else that the browser prefers. */
export const loadTexts = async (): Promise<Texts> =>
  load(chooseLanguage([readKept('localStorage', KEY) ?? '', ...navigator.languages]));

/** Shows the pages in it in one language, until another is chosen. */
export function LanguageProvider({ first, children }: { readonly first: Texts; readonly children: ReactNode }) {
  const [texts, setTexts] = useState(first);
  useEffect(() => {
    document.documentElement.lang = texts.code;
  }, [texts]);
  const choose = (language: Language): void => {
    keep('localStorage', KEY, language);
    void load(language).then(setTexts);
  };
  return (
    <Context value={{ texts, choose }}>
      <I18nProvider locale={regionOf(texts)}>{children}</I18nProvider>
    </Context>
  );
}

export const useTexts = (): Texts => use(Context).texts;

/** Shows the pages in another language, from now on in this browser. */
export const useChooseLanguage = (): ((language: Language) => void) => use(Context).choose;
