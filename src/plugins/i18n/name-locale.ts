/** What people call a locale, as Strapi v4 does: `French (Canada) (fr-CA)`; the code alone when no language has it. */
export function nameLocale(code: string): string {
  const names = new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard', fallback: 'none' });
  try {
    const name = names.of(code);
    return name === undefined ? code : `${name} (${code})`;
  } catch {
    return code;
  }
}
