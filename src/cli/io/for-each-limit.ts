/** Runs work on every item with limited concurrency; items that have not started when `stop` returns true are skipped. */
export async function forEachLimit<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<void>,
  stop: () => boolean = () => false,
): Promise<void> {
  const left = items.values();
  const runner = async (): Promise<void> => {
    for (const item of left) {
      if (stop()) return;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, runner));
}
