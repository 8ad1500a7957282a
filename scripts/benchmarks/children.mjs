import { fork, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import lodash from 'lodash';
import { MongoClient } from 'mongodb';
import { commandOf, descendantsOf } from './cost.mjs';
import { openFolders } from './folders.mjs';

/** Child processes: only those that were started here are ever stopped, and none outlives the benchmark. */
const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

const patience = { start: 600_000, stop: 10_000 };
const project = path.resolve(import.meta.dirname, '../..');

/**
 * Starts a program and waits for the line that says it is ready.
 * @returns its process id, what `ready` read out of that line, and `stop`
 */
export async function startProgram([program, ...args], environment, cwd, ready) {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...environment }, stdio: 'pipe' });
  const stop = watch(child);
  const lines = [];
  const found = new Promise((resolve) => {
    for (const output of [child.stdout, child.stderr]) {
      createInterface(output).on('line', (line) => {
        lines.push(line);
        if (lines.length > 20) lines.shift();
        const read = ready.exec(line);
        if (read !== null) resolve(read.slice(1));
      });
    }
  });
  const ended = once(child, 'exit');
  const read = await Promise.race([
    found,
    ended.then(() => undefined),
    wait(patience.start, undefined, { ref: false }),
  ]);
  if (read !== undefined) return { pid: child.pid, read, stop };
  throw new Error(`${program} ${args[0]} does not start:\n${lines.join('\n')}`);
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
  const program = path.join(project, 'packages', 'embedded-mongod', 'bin', 'embedded-mongod.mjs');
  const command = [process.execPath, program, '--dbpath', folder, '--port', '0', '--exitOnStdinEnd'];
  const { pid, read, stop } = await startProgram(command, {}, folder, /"port":(\d+)/);
  return { pid, uri: `mongodb://127.0.0.1:${read[0]}`, stop };
}

/** An empty engine with a client, a load generator and folders; `close` stops them. */
export async function openBench(prefix) {
  const makeFolder = openFolders(prefix);
  const [load, engine] = [startLoad(), await startEngine(makeFolder('engine'))];
  const client = await new MongoClient(engine.uri).connect();
  const close = async () => {
    await client.close();
    await load.stop();
    await engine.stop();
  };
  return { makeFolder, load, engine, client, close };
}

/** The service says as well after how many milliseconds. */
const readyLine = /Ready on (http:\/\/[^\s"]+)(?: in (\d+) ms)?/;

/** Only the service of this run accepts this token. */
const token = randomUUID();
export const credentials = { authorization: `Bearer ${token}` };

/**
 * Starts the service in production, in a folder of its own. `environment` says which database, `checkout` which build:
 * this one if absent.
 */
export async function startService(environment, folder, checkout = project) {
  const command = [process.execPath, ...process.execArgv, path.resolve(checkout, 'dist', 'main.js')];
  const { pid, read, stop } = await startProgram(command, settingsOf(environment, folder), folder, readyLine);
  return { pid, url: read[0], ready: Number(read[1]), headers: credentials, stop };
}

/** Starts services on one database in one process; `environments` are by their names. */
export async function startTogether(environments, folder) {
  const program = fileURLToPath(import.meta.resolve('./together.mjs'));
  const settings = lodash.mapValues(environments, (environment) => settingsOf(environment, folder));
  const command = [process.execPath, ...process.execArgv, program, JSON.stringify(settings)];
  const { pid, read, stop } = await startProgram(command, {}, folder, /^(\{.*\})$/);
  return Object.entries(JSON.parse(read[0])).map(([name, url]) => ({ name, pid, url, stop }));
}

/** The environment of a service that is measured. */
export const settingsOf = (environment, folder) => ({
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'info',
  JWT_SECRET: 'only-for-this-benchmark',
  API_TOKEN_SALT: 'salt-only-for-this-benchmark',
  // The content types' access.json declares this token.
  BENCHMARK_TOKEN: token,
  CONTENT_TYPES: path.join(import.meta.dirname, 'content-types'),
  DATA_FOLDER: folder,
  // The limit reads for every request, and sends no tags.
  RESPONSE_CACHE: '0',
  ETAG: 'false',
  DATABASE: (environment.MONGODB_URI ?? process.env.MONGODB_URI) ? 'auto' : 'embedded',
  ...environment,
});

/** Starts this project by `npm start`, with its data in another folder. */
export async function startByNpm(folder) {
  const settings = { DATABASE: 'embedded', MONGODB_URI: '', PORT: '0', LOG_LEVEL: 'info', DATA_FOLDER: folder };
  const { pid, read, stop } = await startProgram(['npm', 'start'], settings, project, readyLine);
  return { pid: descendantsOf(pid).find(isService), url: read[0], ready: Number(read[1]), stop };
}

const isService = (pid) => commandOf(pid)?.includes('scripts/start.mjs') && !commandOf(pid).startsWith('sh');

/** Registers a user; returns the headers of their requests. */
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
  const { pid, read, stop } = await startProgram([process.execPath, program], environment, folder, readyLine);
  return { pid, url: read[0], headers: {}, stop };
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
