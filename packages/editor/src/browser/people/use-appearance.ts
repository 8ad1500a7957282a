import { useEffect } from 'react';
import { isLanguage, type Language } from '../language/choose-language.js';
import { useChooseLanguage } from '../language/language.js';
import type { Content } from '../model/schema.js';
import { chooseTheme, isTheme, type Theme } from '../shell/theme.js';
import { useKeepPreferences } from './use-preferences.js';

/** Chooses colors and language, in the account and, for the log-in, in this browser. */
export function useAppearance() {
  const keep = useKeepPreferences();
  const chooseLanguage = useChooseLanguage();
  return {
    onTheme: (theme: Theme): void => {
      chooseTheme(theme);
      keep({ theme });
    },
    onLanguage: (language: Language): void => {
      chooseLanguage(language);
      keep({ language });
    },
  };
}

/** Shows the pages in the colors and the language of the account, whatever this browser had before. */
export function useAccountAppearance({ account: { preferences } }: Content): void {
  const chooseLanguage = useChooseLanguage();
  const { theme, language } = preferences;
  useEffect(() => {
    if (isTheme(theme)) chooseTheme(theme);
  }, [theme]);
  useEffect(() => {
    if (isLanguage(language)) chooseLanguage(language);
  }, [language]);
}
