import slugify, { type Options } from '@sindresorhus/slugify';

export type SlugOptions = Pick<
  Options,
  'separator' | 'lowercase' | 'decamelize' | 'customReplacements' | 'preserveLeadingUnderscore'
>;

/** Apostrophes separate: `it's` is `it-s`. */
const apostrophes: [string, string][] = [
  ["'", ' '],
  ['’', ' '],
];

/**
 * A text in Latin letters, digits and separators, as the version of slugify in Strapi v4 writes it: names of files and
 * of values of enumerations, uids. The installed one joins `'s` and the plural of an acronym.
 */
export function slugOf(text: string, options: SlugOptions = {}): string {
  const { separator = '-', lowercase = true, decamelize = true, customReplacements = [] } = options;
  const words = slugify(text, {
    separator: ' ',
    lowercase: false,
    decamelize: false,
    customReplacements: [...apostrophes, ...customReplacements],
  });
  const parted = decamelize ? partCapitals(words) : words;
  const slug = (lowercase ? parted.toLowerCase() : parted).replaceAll(' ', separator);
  return options.preserveLeadingUnderscore === true && text.startsWith('_') ? `_${slug}` : slug;
}

/** `fooBar` becomes `foo Bar`, `APIKey2` becomes `API Key2`. */
const partCapitals = (words: string): string =>
  words
    .replaceAll(/([A-Z]{2})(\d)/g, '$1 $2')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z\d])/g, '$1 $2');
