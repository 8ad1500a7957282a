import { hasCode } from '../../errors/app-error.js';

type Report = (error: unknown) => void;

/**
 * Reports errors other than that the database is away: the log says that once for the whole service, and when it is
 * back.
 */
export const reportOthers =
  (report: Report): Report =>
  (error) => {
    if (!hasCode(error, 'unavailable')) report(error);
  };

/**
 * Repeats work with a pause in between. Returns a function that stops it, after the current run.
 * @param report is called for each failed run, unless the database is away
 */
export function repeat(pause: number, work: () => Promise<void>, report: Report): () => Promise<void> {
  let running: Promise<void> | undefined;
  const run = (): void => {
    running ??= work()
      .catch(reportOthers(report))
      .finally(() => {
        running = undefined;
      });
  };
  const timer = setInterval(run, pause).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
