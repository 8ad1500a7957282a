import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach } from '@jest/globals';
import { connectToUri } from '../../src/mongo/connection/connect.js';
import type { Project } from './run-page.js';

const mongodbUri = process.env['TEST_MONGODB_URI'] ?? '';
let made = 0;

/** A project of an owner, with a database of its own. */
export interface OwnProject extends Project {
  readonly databaseName: string;
  readonly environment: Record<string, string>;
  /** Writes a file of it. */
  write(file: string, content: string | object): void;
  /** Stops what it has started. */
  stop(): Promise<void>;
}

/** Makes projects, each in a folder of its own, which are gone with their services and databases after the test. */
export function useProjects(): (contentTypes?: string) => OwnProject {
  const undo: (() => unknown)[] = [];
  afterEach(async () => {
    for (const step of undo.splice(0).toReversed()) await step();
  });
  return (contentTypes) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'content-service-docs-'));
    undo.push(() => rmSync(folder, { recursive: true, force: true }));
    made += 1;
    const databaseName = `test_docs_${process.pid}_${made}`;
    undo.push(() => drop(databaseName));
    const environment: Record<string, string> = {
      MONGODB_URI: mongodbUri,
      DATABASE_NAME: databaseName,
      DATA_FOLDER: path.join(folder, '.data'),
      NODE_ENV: 'test',
      PORT: '0',
    };
    const write = (file: string, content: string | object): void => {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), typeof content === 'string' ? content : JSON.stringify(content));
    };
    write('package.json', { type: 'module' });
    mkdirSync(path.join(folder, 'node_modules'));
    symlinkSync(process.cwd(), path.join(folder, 'node_modules/content-service'));
    if (contentTypes !== undefined) cpSync(contentTypes, path.join(folder, 'content-types'), { recursive: true });
    const running: (() => Promise<void>)[] = [];
    const start = async (): Promise<string> => {
      const { url, stop } = await startService(folder, environment);
      running.push(stop);
      return url;
    };
    const stop = async (): Promise<void> => {
      for (const end of running.splice(0)) await end();
    };
    undo.push(stop);
    return { folder, environment, databaseName, write, start, stop };
  };
}

async function drop(name: string): Promise<void> {
  const client = await connectToUri(mongodbUri);
  await client.db(name).dropDatabase();
  await client.close();
}

/** Starts the service of a project, as its owner does. @throws Error with what it said, when it does not come up */
async function startService(
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const service: ChildProcess = spawn(process.execPath, [path.resolve('bin/content-service.mjs'), 'start'], {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(service, 'close');
  let log = '';
  service.stderr?.on('data', (part: Buffer) => (log += part.toString()));
  const stop = async (): Promise<void> => {
    service.kill();
    await ended;
  };
  for await (const line of createInterface({ input: service.stdout as NodeJS.ReadableStream })) {
    log += `${line}\n`;
    const [, url] = /Ready on (http:\/\/[^ ]+)/.exec(line) ?? [];
    if (url !== undefined) {
      service.stdout?.resume();
      return { url, stop };
    }
  }
  throw new Error(`The service did not start:\n${log}`);
}
