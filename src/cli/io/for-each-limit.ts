/** Runs work on every item, so many at a time; items that are not begun when `stop` says so are left. */
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
