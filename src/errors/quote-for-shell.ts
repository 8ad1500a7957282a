/** A word that a shell takes as it is; what it would read as several, or as a comment, is quoted. */
export const quoteForShell = (word: string): string =>
  /^[\w./@%+=:,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
