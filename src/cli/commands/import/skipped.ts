import type { Failure } from '../seed/batches.js';
import { count } from '../../io/terminal.js';
import { createSummary } from '../seed/summary.js';

/** Gathers what could not be taken; however much it is, it stays small. */
export interface Skipped {
  /** Values, links, entries and files that are lost. */
  add(failure: Failure): void;
  /** What has no meaning here, by what it is. */
  skip(reason: string, times?: number): void;
  /** How many are lost. */
  readonly lost: number;
  lines(): readonly string[];
}

export function gatherSkipped(): Skipped {
  const summary = createSummary();
  const left = new Map<string, number>();
  let lost = 0;
  return {
    add: (failure) => {
      lost += 1;
      summary.add(failure);
    },
    skip: (reason, times = 1) => void left.set(reason, (left.get(reason) ?? 0) + times),
    get lost() {
      return lost;
    },
    lines: () => [
      ...(lost > 0 ? ['Could not be taken:', ...summary.lines()] : []),
      ...(left.size > 0 ? ['Has no place here:'] : []),
      ...[...left].map(([reason, times]) => `  ${count(times)} × ${reason}`),
    ],
  };
}
