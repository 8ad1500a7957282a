import { fork, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Child processes: only those that were started here are ever stopped, and none outlives the benchmark. */
const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

const patience = { start: 60_000, stop: 10_000 };
const project = path.resolve(import.meta.dirname, '../..');

/**
 * Starts a Node program and waits for the line that says it is ready.
 * @returns its process id, what `ready` read out of that line, and `stop`
 */
async function startProgram(args, environment, cwd, ready) {
  const child = spawn(process.execPath, args, { cwd, env: { ...process.env, ...environment }, stdio: 'pipe' });
  const stop = watch(child);
  const lines = [];
  const found = new Promise((resolve) => {
    for (const output of [child.stdout, child.stderr]) {
      createInterface(output).on('line', (line) => {
        lines.push(line);
        if (lines.length > 20) lines.shift();
        const value = ready.exec(line)?.[1];
        if (value !== undefined) resolve(value);
      });
    }
  });
  const ended = once(child, 'exit');
  const value = await Promise.race([found, ended, wait(patience.start, undefined, { ref: false })]);
  if (typeof value === 'string') return { pid: child.pid, value, stop };
  throw new Error(`${args[0]} does not start:\n${lines.join('\n')}`);
}

/** Remembers a child until it ends; gives what stops it. */
function watch(child) {
  running.add(child);
  const ended = once(child, 'exit').then(() => running.delete(child));
  return async () => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), patience.stop);
    await ended;
    clearTimeout(timer);
  };
}

/** Starts the embedded engine on an empty folder, on a port of this machine. */
export async function startEngine(folder) {
  const program = path.join(project, 'bin', 'embedded-mongod.mjs');
  const args = [program, '--dbpath', folder, '--port', '0', '--exitOnStdinEnd'];
  const { pid, value, stop } = await startProgram(args, {}, folder, /"port":(\d+)/);
  return { pid, uri: `mongodb://127.0.0.1:${value}`, stop };
}

const readyLine = /Ready on (http:\/\/[^\s"]+)/;

/** Good for nothing but the service of this run. */
const token = randomUUID();
const credentials = { authorization: `Bearer ${token}` };

/** Starts the service, as `npm start` does in production, in a folder of its own. `environment` says which database. */
export async function startService(environment, folder) {
  const settings = {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'info',
    JWT_SECRET: 'only-for-this-benchmark',
    API_TOKEN_SALT: 'only-for-this-benchmark',
    // The content types' access.json declares this token.
    BENCHMARK_TOKEN: token,
    CONTENT_TYPES: path.join(import.meta.dirname, 'content-types'),
    DATA_FOLDER: folder,
    ...environment,
  };
  const args = [...process.execArgv, path.join(project, 'dist', 'main.js')];
  const { pid, value, stop } = await startProgram(args, settings, folder, readyLine);
  return { pid, url: value, headers: credentials, stop };
}

/** Registers a user; gives the headers of their requests. */
export async function signUp(url) {
  const body = JSON.stringify({ username: 'reader', email: 'reader@example.org', password: randomUUID() });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/api/auth/local/register`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`The user cannot be registered: ${await answer.text()}`);
  return { authorization: `Bearer ${(await answer.json()).jwt}` };
}

/** Starts the hand-written limit. */
export async function startLimit(environment, folder) {
  const program = fileURLToPath(import.meta.resolve('./limit.mjs'));
  const { pid, value, stop } = await startProgram([program], environment, folder, readyLine);
  return { pid, url: value, headers: {}, stop };
}

/** Starts the load generator; `run` sends the requests of one job, see load.mjs. */
export function startLoad() {
  const child = fork(fileURLToPath(import.meta.resolve('./load.mjs')), { execArgv: [] });
  const stop = watch(child);
  let settle;
  child.on('message', (result) => settle.resolve(result));
  child.on('exit', () => settle?.reject(new Error('The load generator ended')));
  const run = (job) =>
    new Promise((resolve, reject) => {
      settle = { resolve, reject };
      child.send(job);
    });
  return { run, stop };
}
