/** Records an error in a definition: the path in its file, and the message. */
export type Report = (path: string, rule: string) => void;

/** Collects the errors of one file as messages; if the text of the file is available, with the line. */
export const reportTo =
  (mistakes: string[], file: string, text?: string): Report =>
  (path, rule) => {
    const location = text === undefined ? file : `${file}:${lineOf(text, path)}`;
    mistakes.push(`${location}: ${path} ${rule}`);
  };

/** A name with its colon, a bracket, or any other string. */
const TOKEN = /"((?:[^"\\]|\\.)*)"\s*:|[{[\]}]|"(?:[^"\\]|\\.)*"/g;

/**
 * The line (from 1) of a value in a valid JSON text, or of the closest enclosing value if it is missing.
 * @param path its names, e.g. `attributes.author.target`
 */
export function lineOf(text: string, path: string): number {
  const steps = path.split('.');
  /** The name of each open bracket, from the outside. */
  const names: string[] = [];
  let [offset, depth] = [0, 0];
  for (const { 0: token, 1: name, index } of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') names.push('');
    else if (token === '}' || token === ']') names.pop();
    else if (name !== undefined) {
      names[names.length - 1] = name;
      const isOnTheWay = names.length > depth && names.every((name, at) => name === steps[at]);
      if (isOnTheWay) [offset, depth] = [index, names.length];
    }
  }
  return text.slice(0, offset).split('\n').length;
}
