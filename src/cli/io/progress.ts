import { count, describeSeconds, showProgress } from './terminal.js';

/** Milliseconds between two lines of progress. */
const pauses = { terminal: 100, elsewhere: 5000 };

/**
 * Shows how much of the work is done, and how long the rest takes at the same pace: a line that is overwritten on a
 * terminal, a line now and then elsewhere.
 * @param describe what is done so far, e.g. `42 stored`
 * @returns ends the line, and returns the seconds that the work took
 */
export function watchProgress(share: () => number, describe: () => string): () => number {
  const begin = performance.now();
  const seconds = (): number => (performance.now() - begin) / 1000;
  const terminal = process.stderr.isTTY;
  const show = (): void => {
    const line = describeProgress(Math.min(1, share()), seconds(), describe());
    if (terminal) showProgress(line);
    else process.stderr.write(`${line}\n`);
  };
  const timer = setInterval(show, terminal ? pauses.terminal : pauses.elsewhere).unref();
  return () => {
    clearInterval(timer);
    showProgress('');
    return seconds();
  };
}

/** A line such as `42 %  42,000 stored  1 min 1 s left`. */
export const describeProgress = (share: number, seconds: number, done: string): string =>
  [
    `${Math.floor(share * 100)} %`,
    done,
    ...(share > 0 && share < 1 ? [`${describeSeconds((seconds * (1 - share)) / share)} left`] : []),
  ].join('  ');

/** Shows progress by entries while a task runs. @param total how many entries it is done with */
export async function withProgress<T>(
  task: string,
  total: number,
  run: (advance: (entries: number) => void) => Promise<T>,
): Promise<T> {
  let done = 0;
  const end = watchProgress(
    () => done / Math.max(1, total),
    () => `${task} ${count(done)} of ${count(total)}`,
  );
  return run((entries) => void (done += entries)).finally(end);
}

/** How long work took, and its pace: `in 5 s (38 a second)`. */
export const describePace = (done: number, seconds: number): string =>
  `in ${describeSeconds(seconds)}${seconds > 0 ? ` (${count(Math.round(done / seconds))} a second)` : ''}`;
