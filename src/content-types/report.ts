/** Takes down one mistake in a definition: the path in its file, and what is wrong there. */
export type Report = (path: string, rule: string) => void;

/** Collects the mistakes of one file as lines that a person can act on. */
export const reportTo =
  (mistakes: string[], file: string): Report =>
  (path, rule) => {
    mistakes.push(`${file}: ${path} ${rule}`);
  };
