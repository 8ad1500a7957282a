import { useState } from 'react';
import { Choice } from '../../inputs/choice.js';
import { names as languages } from '../../language/language-choice.js';
import { useTexts } from '../../language/language.js';
import { ALL, textIn, withText, type FormTexts, type TextOption } from '../../model/builder/editor-options.js';
import { Field } from '../../small-forms/field.js';

type Texts = Readonly<Partial<Record<TextOption, FormTexts>>>;

interface Props {
  /** Those that are offered. */
  readonly options: readonly TextOption[];
  /** Of the names of the fields, where others have the same. */
  readonly prefix?: string;
  readonly texts: Texts;
  readonly onChange: (texts: Texts) => void;
}

/** Texts for editors, for all or in one language after the other. */
export function TextFields({ options, prefix = '', texts, onChange }: Props) {
  const { builder, code } = useTexts();
  const used = [...new Set(Object.values(texts).flatMap((byLanguage) => Object.keys(byLanguage)))];
  const others = used.filter((language) => language !== ALL);
  // Texts that have languages are shown in that of the user.
  const [language, setLanguage] = useState(others.length === 0 || used.includes(ALL) ? ALL : code);
  const named: Readonly<Record<string, string>> = { [ALL]: builder.allLanguages, ...languages };
  const choices = [...new Set([...Object.keys(named), ...others])];
  return (
    <>
      <Choice
        label={builder.languageOfTexts}
        value={language}
        onChange={setLanguage}
        options={choices.map((key) => ({ value: key, label: named[key] ?? key }))}
      />
      {options.map((option) => (
        <Field
          key={`${option} ${language}`}
          label={builder.texts[option]}
          name={`${prefix}${option}`}
          hint={option in builder.textHints ? builder.textHints[option as keyof typeof builder.textHints] : undefined}
          {...(option === 'description' && { rows: 2 })}
          value={textIn(texts[option], language)}
          onChange={(text) => onChange({ ...texts, [option]: withText(texts[option], language, text) })}
          lang={language === ALL ? undefined : language}
          placeholder={textIn(texts[option], ALL)}
          dir="auto"
          autoComplete="off"
        />
      ))}
    </>
  );
}
