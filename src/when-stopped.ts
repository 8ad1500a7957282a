/** Milliseconds between two looks whether the shell that npm started this process in is still there. */
const LOOK = 250;

/**
 * Calls back once when the process is told to stop: by SIGTERM or SIGINT; or, under npm, when its shell has ended, because
 * a shell that gets a signal dies without passing it on. A second signal ends the process at once.
 */
export function whenStopped(underNpm: boolean, stop: (reason: string) => void): void {
  const shell = process.ppid;
  const look = (): void => {
    if (process.ppid !== shell) end('npm was stopped');
  };
  const timer = underNpm ? setInterval(look, LOOK).unref() : undefined;
  const end = (reason: string): void => {
    clearInterval(timer);
    for (const signal of signals) process.removeListener(signal, end);
    stop(reason);
  };
  for (const signal of signals) process.on(signal, end);
}

const signals = ['SIGTERM', 'SIGINT'] as const;
