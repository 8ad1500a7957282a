/** Milliseconds between two looks whether the shell that npm started this process in is still there. */
const LOOK = 250;

/**
 * Calls back when the process is told to stop: by SIGINT or SIGTERM, each time; or, under npm, when its shell has ended,
 * because a shell that gets a signal dies without passing it on.
 */
export function whenStopped(callback) {
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, callback);
  if (process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    callback();
  }, LOOK);
  timer.unref();
}
