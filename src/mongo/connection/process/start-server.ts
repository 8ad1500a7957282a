import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';

/** A program and its arguments. It must stop when its standard input ends. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
}

/** The exit status of a process, with its last lines of output. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: string | null;
  readonly lines: readonly string[];
}

export interface RunningServer {
  /** Resolves when the process has ended for any reason. */
  readonly ended: Promise<ProcessEnd>;
  /** Closes the database and waits for the end. */
  stop(): Promise<void>;
}

/** A server that exited before it listened. */
export class ServerFailed extends Error {
  override readonly name = 'ServerFailed';
  readonly end: ProcessEnd;

  constructor(end: ProcessEnd) {
    super(end.lines.at(-1) ?? `ended with ${end.signal ?? end.code}`);
    this.end = end;
  }
}

const linesKept = 20;
/** Milliseconds to close the database; killing it is safe, but slows down the next start. */
const timeoutMs = 10_000;

/**
 * Starts a database process and waits until it listens. It is not in the terminal's process group: Ctrl+C reaches
 * only this process, which still writes while it stops.
 * @throws ServerFailed if it exits before
 */
export async function startServer({ program, args }: Command): Promise<RunningServer> {
  const child = spawn(program, args, { detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  const lines: string[] = [];
  child.stdin.on('error', () => {}); // it has ended: `ended` tells
  const listening = new Promise<true>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      let rest = '';
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        const complete = `${rest}${chunk}`.split('\n');
        rest = complete.pop() ?? '';
        if (complete.some((line) => line.includes('Waiting for connections'))) resolve(true);
        lines.push(...complete.filter((line) => line.trim() !== ''));
        lines.splice(0, lines.length - linesKept);
      });
    }
  });
  const ended = new Promise<ProcessEnd>((resolve) => {
    child.on('error', (error) => resolve({ code: null, signal: null, lines: [error.message] }));
    child.on('close', (code, signal) => resolve({ code, signal, lines }));
  });

  const first = await Promise.race([listening, ended]);
  if (first !== true) throw new ServerFailed(first);
  return {
    ended,
    stop: async () => {
      const done = new AbortController();
      child.stdin.end();
      void wait(timeoutMs, undefined, { signal: done.signal }).then(
        () => child.kill('SIGKILL'),
        () => {},
      );
      await ended;
      done.abort();
    },
  };
}
