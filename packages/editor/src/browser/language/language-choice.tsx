import { Choice } from '../inputs/choice.js';
import { chooseLanguage, type Language } from './choose-language.js';
import { useChooseLanguage, useTexts } from './language.js';

/** What the languages are called by those who speak them. */
export const names: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch', fr: 'Français' };

export const languageNames = Object.entries(names) as readonly (readonly [Language, string])[];

interface Props {
  readonly isLabelled?: boolean;
  readonly onChoose?: (language: Language) => void;
}

export function LanguageChoice({ isLabelled = false, onChoose }: Props) {
  const texts = useTexts();
  const choose = useChooseLanguage();
  const label = texts.shell.language;
  return (
    <Choice
      {...(isLabelled ? { label } : { 'aria-label': label, className: 'language' })}
      value={texts.code}
      onChange={(code) => {
        const language = chooseLanguage([code]);
        choose(language);
        onChoose?.(language);
      }}
      options={languageNames.map(([code, name]) => ({ value: code, label: name, lang: code }))}
    />
  );
}
