import { describePace, watchProgress } from '../../io/progress.js';
import { count, showProgress } from '../../io/terminal.js';
import type { Failure } from './row.js';

/** Failures that are listed in the end. */
const LISTED = 100;

/** Counts what is stored, shows the progress, and sums up. @param total bytes to read */
export function createReporter(total: number, print: (line: string) => void) {
  const failures: Failure[] = [];
  const summary = createSummary();
  let [stored, existing, failed, read] = [0, 0, 0, 0];
  const end = watchProgress(
    () => read / Math.max(1, total),
    () => `${count(stored)} stored, ${count(existing)} existing, ${count(failed)} failed`,
  );
  return {
    stored: (): void => void (stored += 1),
    existing: (): void => void (existing += 1),
    failed: (reasons: readonly Failure[]): void => {
      failed += 1;
      showProgress('');
      for (const reason of reasons) {
        summary.add(reason);
        if (failures.length < LISTED) failures.push(reason);
        print(describeFailure(reason));
      }
    },
    /** Bytes that are dealt with, of all files together. */
    read: (bytes: number): void => void (read = bytes),
    /** Ends the line of progress and sums up. */
    finish: (ending: string) => {
      const took = describePace(stored, end());
      print(`${ending}: ${count(stored)} stored ${took}, ${count(existing)} existing, ${count(failed)} failed`);
      for (const line of summary.lines()) print(line);
      return { stored, known: existing, failed, failures };
    },
  };
}

export type Reporter = ReturnType<typeof createReporter>;

/** The maximum number of kinds of failures that are counted separately, so that the summary stays small. */
const MAX_KINDS = 50;

/** The failures with their number: rows that break the same rule at the same attribute are counted together. */
export function createSummary() {
  const kinds = new Map<string, { times: number; readonly first: Failure }>();
  let omitted = 0;
  return {
    add: (failure: Failure): void => {
      const kind = `${failure.type} ${failure.path.replaceAll(/\.\d+(?=\.|$)/g, '.*')} ${ruleOf(failure)}`;
      const counted = kinds.get(kind);
      if (counted !== undefined) counted.times += 1;
      else if (kinds.size < MAX_KINDS) kinds.set(kind, { times: 1, first: failure });
      else omitted += 1;
    },
    lines: (): readonly string[] => [
      ...[...kinds]
        .toSorted(([, a], [, b]) => b.times - a.times)
        .map(([, { times, first }]) => `  ${count(times)} × like ${describeFailure(first)}`),
      ...(omitted > 0 ? [`  ${count(omitted)} × others`] : []),
    ],
  };
}

/** A rule without the value that broke it. */
const ruleOf = ({ rule }: Failure): string => rule.replaceAll(/"(?:[^"\\]|\\.)*"/g, '"…"');

/** `articles.ndjson:17 title: title must be at most 100 characters` */
const describeFailure = ({ file, line, path, rule }: Failure): string =>
  `${file}${line === undefined ? '' : `:${line}`}${path === '' ? '' : ` ${path}`}: ${rule}`;
