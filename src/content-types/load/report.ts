import { lineOf } from './line-of.js';

/** Records an error in a definition: the path in its file, and the message. */
export type Report = (path: string, rule: string) => void;

/** Collects the errors of one file as messages; if the text of the file is available, with the line. */
export const reportTo =
  (mistakes: string[], file: string, text?: string): Report =>
  (path, rule) => {
    const place = text === undefined ? file : `${file}:${lineOf(text, path)}`;
    mistakes.push(`${place}: ${path} ${rule}`);
  };
