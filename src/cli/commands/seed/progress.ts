import { count, describeSeconds } from '../../io/terminal.js';

/** How far a run is at a moment. */
export interface Snapshot {
  /** Seconds since it began. */
  readonly at: number;
  readonly stored: number;
  readonly existing: number;
  readonly failed: number;
  /** Of the bytes to read: from 0 to 1. */
  readonly share: number;
}

const WIDTH = 24;

/**
 * A line such as `█████░░░  42 %  42,000 stored  950 a second  1 min 1 s left`. `before`: an earlier state, to calculate the
 * pace.
 */
export function describeProgress(current: Snapshot, before: Snapshot, { bar }: { readonly bar: boolean }): string {
  const seconds = current.at - before.at;
  const pace = seconds > 0 ? (current.share - before.share) / seconds : 0;
  const filled = Math.round(current.share * WIDTH);
  return [
    ...(bar ? ['█'.repeat(filled) + '░'.repeat(WIDTH - filled)] : []),
    `${Math.floor(current.share * 100)} %`,
    `${count(current.stored)} stored`,
    ...(current.existing > 0 ? [`${count(current.existing)} there already`] : []),
    ...(current.failed > 0 ? [`${count(current.failed)} failed`] : []),
    ...(seconds > 0 ? [`${count(Math.round((current.stored - before.stored) / seconds))} a second`] : []),
    ...(pace > 0 && current.share < 1 ? [`${describeSeconds((1 - current.share) / pace)} left`] : []),
  ].join('  ');
}
