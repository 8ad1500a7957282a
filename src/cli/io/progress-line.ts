import { showProgress } from './terminal.js';

/** Milliseconds between two lines of progress. */
const pauses = { terminal: 100, elsewhere: 5000 };

/**
 * Shows progress until the returned function is called: a line that is overwritten on a terminal, a
 * line now and then elsewhere.
 */
export function showProgressLine(describe: (terminal: boolean) => string): () => void {
  const terminal = process.stderr.isTTY;
  const show = (): void => {
    const line = describe(terminal);
    if (terminal) showProgress(line);
    else process.stderr.write(`${line}\n`);
  };
  const timer = setInterval(show, terminal ? pauses.terminal : pauses.elsewhere).unref();
  return () => {
    clearInterval(timer);
    showProgress('');
  };
}
