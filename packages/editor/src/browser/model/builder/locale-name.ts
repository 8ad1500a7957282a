/** The name of a locale in a language; undefined: there is no such language, or its code is none. */
export function localeName(code: string, language: string): string | undefined {
  const nameOf = (type: 'language' | 'region' | 'script', part: string): string | undefined =>
    new Intl.DisplayNames([language], { type, fallback: 'none' }).of(part);
  try {
    const { language: own, region, script } = new Intl.Locale(code);
    const isKnown =
      nameOf('language', own) !== undefined &&
      (region === undefined || nameOf('region', region) !== undefined) &&
      (script === undefined || nameOf('script', script) !== undefined);
    return isKnown ? nameOf('language', code) : undefined;
  } catch {
    return undefined;
  }
}
