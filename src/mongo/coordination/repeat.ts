/** Repeats work with a pause in between. Returns a function that stops it, after the current run. */
export function repeat(
  pause: number,
  work: () => Promise<void>,
  report: (error: unknown) => void,
): () => Promise<void> {
  let running: Promise<void> | undefined;
  const run = (): void => {
    running ??= work()
      .catch(report)
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
