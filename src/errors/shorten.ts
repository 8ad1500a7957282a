/**
 * A text of at most so many characters, whose JSON takes at most three bytes for each of them. A longer one is cut, and
 * ends with an ellipsis.
 */
export function shorten(text: string, characters: number): string {
  const start = text.slice(0, characters);
  // The JSON of some characters is longer, up to six bytes: `\u0001`.
  const fits = Buffer.byteLength(JSON.stringify(start)) - 2 <= 3 * characters;
  const short = fits ? start : start.slice(0, characters / 2);
  return short.length < text.length ? `${short}…` : text;
}
