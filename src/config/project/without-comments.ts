/** Comments, with strings and templates before them, in which they do not count. */
const comments = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`|\/\/[^\n]*|\/\*[^]*?\*\//g;

/** The source with blanks in the place of comments. */
export const withoutComments = (source: string): string =>
  source.replaceAll(comments, (text) => (text.startsWith('/') ? text.replaceAll(/[^\n]/g, ' ') : text));
