import type { Failure } from '../seed/batches.js';
import { count } from '../../io/terminal.js';
import { createSummary } from '../seed/summary.js';

/** Counts what could not be imported, in bounded memory. */
export interface Skipped {
  /** Values, links, entries and files that are lost. */
  add(failure: Failure): void;
  /** Items without a meaning here, by reason. */
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
      ...(lost > 0 ? ['Refused:', ...summary.lines()] : []),
      ...(left.size > 0 ? ['Not imported:'] : []),
      ...[...left].map(([reason, times]) => `  ${count(times)} × ${reason}`),
    ],
  };
}
