/** Milliseconds of processor time of this process while it does some work: other processes do not slow it down. */
export async function processorTimeOf(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
