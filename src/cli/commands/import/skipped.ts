import type { Failure } from '../seed/row.js';
import { count } from '../../io/terminal.js';
import { createSummary } from '../seed/reporter.js';

/** Reasons that are counted separately: an archive can name a type of its own in each line. */
const MOST_REASONS = 100;

/** Counts what could not be imported, in bounded memory. */
export function gatherSkipped() {
  const summary = createSummary();
  const left = new Map<string, number>();
  let lost = 0;
  return {
    /** Values, links, entries and files that are lost. */
    add: (failure: Failure): void => {
      lost += 1;
      summary.add(failure);
    },
    /** Items without a meaning here, by reason. */
    skip: (reason: string, times: number = 1): void => {
      const named = left.has(reason) || left.size < MOST_REASONS ? reason : 'others';
      left.set(named, (left.get(named) ?? 0) + times);
    },
    get lost() {
      return lost;
    },
    lines: (): readonly string[] => [
      ...(lost > 0 ? ['Refused:', ...summary.lines()] : []),
      ...(left.size > 0 ? ['Not imported:'] : []),
      ...[...left].map(([reason, times]) => `  ${count(times)} × ${reason}`),
    ],
  };
}

export type Skipped = ReturnType<typeof gatherSkipped>;
