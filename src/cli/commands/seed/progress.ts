import { count, describeSeconds } from '../../io/terminal.js';

/** How far a run is at a moment. */
export interface Moment {
  /** Seconds since it began. */
  readonly at: number;
  readonly stored: number;
  readonly known: number;
  readonly failed: number;
  /** Of the bytes to read: from 0 to 1. */
  readonly share: number;
}

const WIDTH = 24;

/** A line such as `█████░░░  42 %  42,000 stored  950 a second  1 min 1 s left`. `before`: an earlier moment, to tell the pace. */
export function describeProgress(now: Moment, before: Moment, { bar }: { readonly bar: boolean }): string {
  const seconds = now.at - before.at;
  const pace = seconds > 0 ? (now.share - before.share) / seconds : 0;
  const filled = Math.round(now.share * WIDTH);
  return [
    ...(bar ? ['█'.repeat(filled) + '░'.repeat(WIDTH - filled)] : []),
    `${Math.floor(now.share * 100)} %`,
    `${count(now.stored)} stored`,
    ...(now.known > 0 ? [`${count(now.known)} there already`] : []),
    ...(now.failed > 0 ? [`${count(now.failed)} failed`] : []),
    ...(seconds > 0 ? [`${count(Math.round((now.stored - before.stored) / seconds))} a second`] : []),
    ...(pace > 0 && now.share < 1 ? [`${describeSeconds((1 - now.share) / pace)} left`] : []),
  ].join('  ');
}
