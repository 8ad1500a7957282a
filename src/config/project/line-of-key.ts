/** Comments, strings, regular expressions, names and brackets of JavaScript, TypeScript and JSON. */
const token =
  /\/\/[^\n]*|\/\*[^]*?\*\/|`(?:[^`\\]|\\[^])*`|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|(?<=[(,=:[!&|?{};]\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/|[\w$]+|[{}[\](),:]/g;

/**
 * The line of a key in the objects of a source text, from 1; undefined if not even the first key occurs. `depth` says
 * how many of the keys lead there: fewer than all if the rest is missing. Calls, functions and lists on the way do not
 * count, so that `module.exports = ({ env }) => ({ a: { b: 1 } })` has the keys `a`, `b`.
 * @param within only in the object with this string: `{ name: 'strapi::cors', config: … }`
 */
export function lineOfKey(text: string, keys: readonly string[], within?: string) {
  const tokens = [...text.matchAll(token)].filter(([word]) => !/^\/[/*]/.test(word));
  const start = within === undefined ? 0 : tokens.findIndex(([word]) => unquote(word) === within);
  if (start < 0) return undefined;
  // Only a value of a key is in an object.
  const end = within === undefined || tokens[start - 1]?.[0] === ':' ? tokens.length : 0;
  /** The latest key of each open bracket, from the outside. */
  const open = [''];
  let best: { index: number; depth: number } | undefined;
  for (let at = start; at < end && open.length > 0; at += 1) {
    const [word = '', index = 0] = [tokens[at]?.[0], tokens[at]?.index];
    if (/^[{[(]/.test(word)) open.push('');
    else if (/^[}\])]/.test(word)) open.pop();
    else if (word === ',') open[open.length - 1] = '';
    else if (tokens[at + 1]?.[0] === ':' && /^[{,]/.test(tokens[at - 1]?.[0] ?? '')) {
      open[open.length - 1] = unquote(word);
      const names = open.filter((name) => name !== '');
      const isOnTheWay = names.length > (best?.depth ?? 0) && names.every((name, level) => name === keys[level]);
      if (isOnTheWay) best = { index, depth: names.length };
    }
  }
  const first = tokens[within === undefined ? tokens.findIndex(([word]) => unquote(word) === keys[0]) : start];
  best ??= first && { index: first.index, depth: 0 };
  return best && { line: text.slice(0, best.index).split('\n').length, depth: best.depth };
}

const unquote = (word: string): string => word.replace(/^(["'`])(.*)\1$/s, '$2');
