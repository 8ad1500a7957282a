import { lineOf } from './line-of.js';

/** Takes down one mistake in a definition: the path in its file, and what is wrong there. */
export type Report = (path: string, rule: string) => void;

/** Collects the mistakes of one file as lines that a person can act on; of a file whose text is known, with the line in it. */
export const reportTo =
  (mistakes: string[], file: string, text?: string): Report =>
  (path, rule) => {
    const place = text === undefined ? file : `${file}:${lineOf(text, path)}`;
    mistakes.push(`${place}: ${path} ${rule}`);
  };
