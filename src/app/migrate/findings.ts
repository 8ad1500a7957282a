import type { Finding } from '../../plugins/contract/plugin-context.js';

/** The findings of a run as text, by subject. */
export function gatherFindings() {
  const subjects = new Map<string, Map<string, number>>();
  const textsOf = (subject: string): Map<string, number> => {
    const texts = subjects.get(subject) ?? new Map<string, number>();
    subjects.set(subject, texts);
    return texts;
  };
  return {
    /** Counts one entry for each of the messages. */
    add: (subject: string, texts: readonly string[]): void => {
      for (const text of texts) textsOf(subject).set(text, (textsOf(subject).get(text) ?? 0) + 1);
    },
    /** A line with text only. */
    note: (subject: string, text: string): void => void textsOf(subject).set(text, 0),
    get isEmpty() {
      return subjects.size === 0;
    },
    /** The lines as data, for programs; `entries` is 0 if they are not counted. */
    list: (): readonly Finding[] =>
      [...subjects].flatMap(([subject, texts]) => [...texts].map(([text, entries]) => ({ subject, text, entries }))),
  };
}

export type Findings = ReturnType<typeof gatherFindings>;
