import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** A project folder of its own, with content types and a token for all. */
export interface Project {
  readonly folder: string;
  readonly token: string;
  remove(): void;
}

/** @param types default: those of tests/api/documents/relations */
export function makeProject(types = 'tests/api/documents/relations/content-types'): Project {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'content-service-fault-'));
  const contentTypes = path.join(folder, 'content-types');
  fs.cpSync(types, contentTypes, { recursive: true });
  const token = 'a-key-that-is-only-for-faults';
  const access = { tokens: { faults: { type: 'full-access', key: { env: 'FAULT_TOKEN' } } } };
  fs.writeFileSync(path.join(contentTypes, 'access.json'), JSON.stringify(access));
  return { folder, token, remove: () => fs.rmSync(folder, { recursive: true, force: true }) };
}

/** The killed process: the service, its database, or both at once. */
export const victims = ['service', 'database', 'both'] as const;
export type Victim = (typeof victims)[number];

/** The built service in a process of its own, with an embedded engine in another. */
export interface ServiceProcess {
  readonly url: string;
  /** All that it has said. */
  log(): string;
  kill(victim: Victim): Promise<void>;
  /** It stands still until it is resumed. */
  suspend(): void;
  resume(): void;
  /** Ends it in the ordinary way. */
  stop(): Promise<void>;
}

/**
 * Starts it.
 * @param settings environment variables beside those that every fault needs
 * @param user that the process runs as; the own one when left out
 * @param checkout a built one, of this version when left out
 */
export async function startService(
  { folder, token }: Project,
  settings: Readonly<Record<string, string>> = {},
  user?: number,
  checkout = '.',
): Promise<ServiceProcess> {
  const { MONGODB_URI: _, ...environment } = process.env;
  const service = spawn(process.execPath, [path.resolve(checkout, 'dist/main.js')], {
    cwd: folder,
    // The leftovers of a killed process are removed with the project.
    env: {
      ...environment,
      NODE_ENV: 'development',
      DATABASE: 'embedded',
      PORT: '0',
      LOG_LEVEL: 'info',
      CLOSE_DELAY: '0',
      TMPDIR: folder,
      FAULT_TOKEN: token,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(user !== undefined && { uid: user, gid: user }),
  });
  const { url, log } = await readUrl(service);
  const ended = once(service, 'exit');
  return {
    url,
    log,
    kill: async (victim) => {
      const engine = enginesOf(folder);
      if (victim !== 'service') for (const pid of engine) process.kill(pid, 'SIGKILL');
      if (victim === 'database') return;
      service.kill('SIGKILL');
      await ended;
    },
    suspend: () => void service.kill('SIGSTOP'),
    resume: () => void service.kill('SIGCONT'),
    stop: async () => {
      service.kill('SIGTERM');
      const [code, signal] = (await ended) as [number | null, string | null];
      if (code !== 0) throw new Error(`The service ended with ${code ?? signal}:\n${log().slice(-2000)}`);
    },
  };
}

/** The URL of the service, and its output. */
async function readUrl(service: ChildProcess): Promise<{ url: string; log: () => string }> {
  const lines: string[] = [];
  service.stderr?.on('data', (part: Buffer) => lines.push(String(part)));
  const url = new Promise<string>((resolve, reject) => {
    createInterface({ input: service.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      lines.push(line);
      const [, found] = /Ready on (http\S+) in/.exec(line) ?? [];
      if (found !== undefined) resolve(found);
    });
    service
      .once('error', reject)
      .once('exit', () => reject(new Error(`The service does not start:\n${lines.join('\n')}`)));
  });
  return { url: await url, log: () => lines.join('\n') };
}

/** The engines that serve the project's data. */
function enginesOf(folder: string): readonly number[] {
  return execFileSync('ps', ['-A', '-ww', '-o', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(`--dbpath ${folder}`) && !line.includes('/bin/sh'))
    .map((line) => Number.parseInt(line, 10));
}
