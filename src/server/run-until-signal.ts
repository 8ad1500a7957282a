import { onShutdownSignal } from './shutdown-signal.js';

/** Does work that ends well on a stop signal; on a second one the process ends. */
export async function runUntilSignal<T>(underNpm: boolean, work: (stopping: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController();
  const end = onShutdownSignal(underNpm, () => {
    if (stopping.signal.aborted) process.exit(130);
    stopping.abort();
  });
  try {
    return await work(stopping.signal);
  } finally {
    end();
  }
}
