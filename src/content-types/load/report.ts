import { lineOfKey } from '../../config/project/line-of-key.js';

/** Records an error in a definition: the path in its file, and the message. */
export type Report = (path: string, rule: string) => void;

/** Collects the errors of one file as messages; if the text of the file is available, with the line. */
export const reportTo =
  (mistakes: string[], file: string, text?: string): Report =>
  (path, rule) => {
    const location = text === undefined ? file : `${file}:${lineOf(text, path)}`;
    mistakes.push(`${location}: ${path} ${rule}`);
  };

/** The line (from 1) of a value in a valid JSON text, or of the closest enclosing value if it is missing. */
const lineOf = (text: string, path: string): number => lineOfKey(text, path.split('.'))?.line ?? 1;
