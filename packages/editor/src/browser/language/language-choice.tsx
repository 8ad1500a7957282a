import { Choice } from '../inputs/choice.js';
import { chooseLanguage, type Language } from './choose-language.js';
import { useChooseLanguage, useTexts } from './language.js';

/** What the languages are called by those who speak them. */
const names: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch', fr: 'Français' };

export function LanguageChoice({ isLabelled = false }: { readonly isLabelled?: boolean }) {
  const texts = useTexts();
  const choose = useChooseLanguage();
  const label = texts.shell.language;
  return (
    <Choice
      {...(isLabelled ? { label } : { 'aria-label': label, className: 'language' })}
      value={texts.code}
      onChange={(code) => choose(chooseLanguage([code]))}
      options={Object.entries(names).map(([code, name]) => ({ value: code, label: name, lang: code }))}
    />
  );
}
