import { describePace, watchProgress } from '../../io/progress.js';
import { count, showProgress } from '../../io/terminal.js';
import { describeFailure, createSummary } from './summary.js';
import type { Failure } from './batches.js';

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
