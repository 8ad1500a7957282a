import { onShutdownSignal } from './shutdown-signal.js';

/** Runs work that stops gracefully on a signal; a second signal ends the process. */
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
