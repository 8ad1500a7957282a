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
