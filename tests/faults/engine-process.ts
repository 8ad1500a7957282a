import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** An embedded engine in a process of its own, on any free port. */
export interface EngineProcess {
  readonly port: number;
  /** With SIGKILL: nothing is closed. */
  kill(): Promise<void>;
}

const program = path.resolve('packages/embedded-mongod/bin/embedded-mongod.mjs');

export async function startEngine(folder: string): Promise<EngineProcess> {
  const args = [program, '--dbpath', folder, '--bind_ip', '127.0.0.1', '--port', '0'];
  const engine = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(engine, 'exit');
  const port = await new Promise<number>((resolve, reject) => {
    void ended.then(() => reject(new Error('The engine does not start')));
    createInterface({ input: engine.stdout }).on('line', (line) => {
      const [, found] = /Waiting for connections.*"port":(\d+)/.exec(line) ?? [];
      if (found !== undefined) resolve(Number(found));
    });
  });
  return {
    port,
    kill: async () => {
      engine.kill('SIGKILL');
      await ended;
    },
  };
}
