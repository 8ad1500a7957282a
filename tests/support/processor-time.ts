/** Returns the milliseconds of processor time of this process since then: other processes do not slow it down. */
export function startProcessorTime(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
}

/** Milliseconds of processor time of this process while it does some work. */
export async function processorTimeOf(work: () => unknown): Promise<number> {
  const processorTime = startProcessorTime();
  await work();
  return processorTime();
}
