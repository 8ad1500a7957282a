/** One step of a scan: its end, or the position of the error and the expected token. */
type Step = { readonly end: number } | { readonly at: number; readonly expected: string };

const SPACE = /[ \t\n\r]*/y;
const PLAIN = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
// Any character from the space on, but for the double quote and the backslash.
const TEXT = /(?:[ !#-[\]-\uFFFF]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*/y;

/**
 * Finds the first syntax error in a JSON text, and which token is expected there; undefined if there is none. Line and column
 * count from 1. `JSON.parse` of Node 20 reports only a position, or not even that.
 */
export function locateJsonError(text: string) {
  const value = scanValue(text, skip(SPACE, text, 0));
  const rest = 'end' in value ? skip(SPACE, text, value.end) : 0;
  const failed = 'at' in value ? value : { at: rest, expected: 'the end of the file' };
  if ('end' in value && rest === text.length) return undefined;
  const before = text.slice(0, failed.at).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1, expected: failed.expected };
}

/** The position behind what a sticky pattern matches, if it matches. */
export function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return from + (pattern.exec(text)?.[0].length ?? 0);
}

function scanValue(text: string, from: number): Step {
  if (text[from] === '{') return scanList(text, from, '}', 'a name in double quotes', scanMember);
  if (text[from] === '[') return scanList(text, from, ']', 'a value', scanValue);
  if (text[from] === '"') return scanText(text, from);
  const end = skip(PLAIN, text, from);
  return end > from ? { end } : { at: from, expected: 'a value' };
}

function scanText(text: string, from: number): Step {
  const end = skip(TEXT, text, from + 1);
  if (text[end] === '"') return { end: end + 1 };
  return { at: end, expected: text[end] === '\\' ? 'a valid escape' : 'a closing double quote' };
}

function scanMember(text: string, from: number): Step {
  if (text[from] !== '"') return { at: from, expected: 'a name in double quotes' };
  const name = scanText(text, from);
  if ('at' in name) return name;
  const colon = skip(SPACE, text, name.end);
  return text[colon] === ':' ? scanValue(text, skip(SPACE, text, colon + 1)) : { at: colon, expected: '":"' };
}

function scanList(
  text: string,
  from: number,
  close: string,
  item: string,
  scanItem: (text: string, from: number) => Step,
): Step {
  let at = skip(SPACE, text, from + 1);
  if (text[at] === close) return { end: at + 1 };
  if (at === text.length) return { at, expected: `${item} or "${close}"` };
  for (;;) {
    const scanned = scanItem(text, at);
    if ('at' in scanned) return scanned;
    at = skip(SPACE, text, scanned.end);
    if (text[at] === close) return { end: at + 1 };
    if (text[at] !== ',') return { at, expected: `"," or "${close}"` };
    at = skip(SPACE, text, at + 1);
  }
}
