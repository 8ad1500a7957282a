import { isUnderNpm } from '../config/system.js';

/** Milliseconds between two checks for the shell in which npm started this process. */
const POLL_INTERVAL_MS = 250;

/** Milliseconds beyond the grace period for closing everything; work that takes longer is considered stuck. */
export const SHUTDOWN_MARGIN_MS = 5000;

const signals = ['SIGTERM', 'SIGINT'] as const;

/**
 * Calls back when the process receives a stop signal: by SIGTERM or SIGINT, each time; or, under npm, when its shell
 * has ended, because a shell does not forward signals. Returns a function that removes the listeners: a signal then
 * ends the process immediately.
 */
export function onShutdownSignal(stop: (reason: string) => void): () => void {
  const shell = process.ppid;
  const look = (): void => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    stop('npm was stopped');
  };
  const timer = isUnderNpm() ? setInterval(look, POLL_INTERVAL_MS).unref() : undefined;
  for (const signal of signals) process.on(signal, stop);
  return () => {
    clearInterval(timer);
    for (const signal of signals) process.off(signal, stop);
  };
}

/** Runs work that stops gracefully on a signal; a second signal ends the process. */
export async function runUntilSignal<T>(work: (stopping: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController();
  const end = onShutdownSignal(() => {
    if (stopping.signal.aborted) process.exit(130);
    stopping.abort();
  });
  try {
    return await work(stopping.signal);
  } finally {
    end();
  }
}
