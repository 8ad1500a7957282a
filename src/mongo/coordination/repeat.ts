/** Does work again and again, with a pause between. Returns what ends it, after the work that is under way. */
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
