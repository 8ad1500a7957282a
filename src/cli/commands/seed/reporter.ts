import { count, describeSeconds, showProgress, showProgressLine } from '../../io/terminal.js';
import { describeFailure, createSummary } from './summary.js';
import type { Failure } from './batches.js';

interface Counts {
  readonly stored: number;
  readonly known: number;
  readonly failed: number;
  readonly failures: readonly Failure[];
}

/** Failures that are listed in the end. */
const LISTED = 100;
/** Seconds that the pace is measured over. */
const WINDOW = 10;

/** Reports progress: one line that is overwritten on a terminal, occasional lines elsewhere. */
export function createReporter(total: number, print: (line: string) => void) {
  const failures: Failure[] = [];
  const summary = createSummary();
  const { numbers, end } = watchProgress(total);
  return {
    stored: (): void => void (numbers.stored += 1),
    existing: (): void => void (numbers.existing += 1),
    failed: (reasons: readonly Failure[]): void => {
      numbers.failed += 1;
      showProgress('');
      for (const reason of reasons) {
        summary.add(reason);
        if (failures.length < LISTED) failures.push(reason);
        print(describeFailure(reason));
      }
    },
    /** Bytes that are dealt with, of all files together. */
    read: (bytes: number): void => void (numbers.read = bytes),
    /** Ends the line of progress and sums up. */
    finish: (ending: string): Counts => {
      const { stored, existing, failed } = numbers;
      print(`${ending}: ${count(stored)} stored ${end()}, ${count(existing)} existing, ${count(failed)} failed`);
      for (const line of summary.lines()) print(line);
      return { stored, known: existing, failed, failures };
    },
  };
}

export type Reporter = ReturnType<typeof createReporter>;

/** Shows the progress of counters that are incremented during the run. `end` reports its duration and rate. */
export function watchProgress(total: number) {
  const begin = performance.now();
  const numbers = { stored: 0, existing: 0, failed: 0, read: 0 };
  const takeSnapshot = (): Snapshot => {
    const { read, ...rest } = numbers;
    return { ...rest, share: Math.min(1, read / Math.max(1, total)), at: (performance.now() - begin) / 1000 };
  };
  let snapshots: readonly Snapshot[] = [takeSnapshot()];
  const hide = showProgressLine((terminal) => {
    const snapshot = takeSnapshot();
    const [oldest = snapshot] = snapshots;
    snapshots = [...snapshots.filter(({ at }) => snapshot.at - at < WINDOW), snapshot];
    return describeProgress(snapshot, oldest, { bar: terminal });
  });
  const end = (): string => {
    hide();
    const { at, stored } = takeSnapshot();
    return `in ${describeSeconds(at)}${at > 0 ? ` (${count(Math.round(stored / at))} a second)` : ''}`;
  };
  return { numbers, end };
}

interface Snapshot {
  /** Seconds since it began. */
  readonly at: number;
  readonly stored: number;
  readonly existing: number;
  readonly failed: number;
  /** The fraction of bytes read, from 0 to 1. */
  readonly share: number;
}

const WIDTH = 24;

/**
 * A line such as `█████░░░  42 %  42,000 stored  950 a second  1 min 1 s left`. `before`: an earlier state, to
 * calculate the pace.
 */
export function describeProgress(current: Snapshot, previous: Snapshot, { bar }: { readonly bar: boolean }): string {
  const seconds = current.at - previous.at;
  const pace = seconds > 0 ? (current.share - previous.share) / seconds : 0;
  const filled = Math.round(current.share * WIDTH);
  return [
    ...(bar ? ['█'.repeat(filled) + '░'.repeat(WIDTH - filled)] : []),
    `${Math.floor(current.share * 100)} %`,
    `${count(current.stored)} stored`,
    ...(current.existing > 0 ? [`${count(current.existing)} existing`] : []),
    ...(current.failed > 0 ? [`${count(current.failed)} failed`] : []),
    ...(seconds > 0 ? [`${count(Math.round((current.stored - previous.stored) / seconds))} a second`] : []),
    ...(pace > 0 && current.share < 1 ? [`${describeSeconds((1 - current.share) / pace)} left`] : []),
  ].join('  ');
}
