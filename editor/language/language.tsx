import { createContext, use, useEffect, type ReactNode } from 'react';
import { chooseTexts, tables, type Texts } from './choose-texts.js';
import { english } from './english.js';

const Context = createContext<Texts>(english);

/** Shows the pages in it in the language that the browser prefers. */
export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const texts = chooseTexts(tables, navigator.languages);
  useEffect(() => {
    document.documentElement.lang = texts.code;
  }, [texts]);
  return <Context value={texts}>{children}</Context>;
}

export const useTexts = (): Texts => use(Context);
