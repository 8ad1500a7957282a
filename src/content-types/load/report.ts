import { lineOfKey } from '../../config/project/line-of-key.js';

/** Records an error in a definition: the path in its file, and the message. */
export type Report = (path: string, rule: string) => void;

/**
 * Collects the errors of one file as messages; if its text is available, with the line, or that of the closest
 * enclosing value.
 */
export const reportTo =
  (mistakes: string[], file: string, text?: string): Report =>
  (path, rule) => {
    const location = text === undefined ? file : `${file}:${lineOfKey(text, path.split('.'))?.line ?? 1}`;
    mistakes.push([`${location}:`, path, rule].filter((part) => part !== '').join(' '));
  };
