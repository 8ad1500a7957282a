import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

let folder: string;
let file: string;
let program: ChildProcess;
let output = '';
let wake: () => void = () => undefined;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'content-service-dev-'));
  file = path.join(folder, 'content-types/note.json');
  mkdirSync(path.dirname(file));
  output = '';
});
afterEach(async () => {
  if (program.exitCode === null && program.signalCode === null) {
    const ended = once(program, 'exit');
    program.kill('SIGTERM');
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

const write = (attributes: object): void => {
  const info = { singularName: 'note', pluralName: 'notes', displayName: 'Note' };
  // As editors do: the file is replaced by another.
  writeFileSync(`${file}.new`, JSON.stringify({ info, attributes }, null, 2));
  renameSync(`${file}.new`, file);
};

/**
 * Waits for new output that matches, and returns it. Other lines may come between two that are awaited: services log
 * when they like.
 */
async function printed(pattern: RegExp): Promise<RegExpExecArray> {
  for (;;) {
    const found = pattern.exec(output);
    if (found !== null) {
      output = output.slice(found.index + found[0].length);
      return found;
    }
    if (!program.stdout?.readable) throw new Error(`Ended without printing ${pattern}:\n${output}`);
    await new Promise<void>((resolve, reject) => {
      wake = resolve;
      // Before Jest's own limit, which would not show what was printed.
      setTimeout(() => reject(new Error(`Not printed: ${pattern}\n${output}`)), 300_000).unref();
    });
  }
}

const command = path.resolve('bin/content-service.mjs');

/** Both outputs are one pipe: of two, the order of what was written to them would be lost. */
function run(args: readonly string[], environment: Readonly<Record<string, string | undefined>>): void {
  program = spawn('/bin/sh', ['-c', 'exec "$0" "$@" 2>&1', ...args], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'development', PORT: '0', ...environment },
  });
  program.stdout?.on('data', (part: Buffer) => {
    output += part.toString();
    wake();
  });
  program.stdout?.on('close', () => wake());
}

const READY = /Ready on (http:\/\/[^ ]+)/;

test('dev restarts when content types change, and keeps the service running while they are invalid', async () => {
  write({ title: { type: 'string' } });
  run([process.execPath, command, 'dev'], {
    MONGODB_URI: process.env['TEST_MONGODB_URI'],
    DATABASE_NAME: `dev_${process.pid}`,
  });
  await printed(READY);

  write({ title: { type: 'text' }, author: { type: 'string' } });
  await printed(/^content-types\/note\.json changed: restarting\n/m);
  const [, url = ''] = await printed(READY);

  write({ title: { type: 'text' }, author: { type: 'strin' } });
  await printed(/^content-types\/note\.json:12: attributes\.author\.type /m);
  await printed(/^The service keeps running unchanged\.\n/m);
  expect((await fetch(`${url}/api/notes`)).status).toBe(403);

  write({ title: { type: 'text' } });
  await printed(/^content-types\/note\.json changed: restarting\n/m);
  await printed(READY);
});

test('dev says that the service has ended, and starts it again when a file changes, also one in TypeScript', async () => {
  write({ title: { type: 'string' } });
  const webhooks = path.join(folder, 'config/webhooks.json');
  mkdirSync(path.dirname(webhooks));
  writeFileSync(webhooks, '{ "webhooks": 1 }');
  run([process.execPath, command, 'dev'], {
    MONGODB_URI: process.env['TEST_MONGODB_URI'],
    DATABASE_NAME: `dev_ended_${process.pid}`,
  });
  await printed(/^The service has ended with exit code [1-9]\d*\. It starts again when a file changes\.\n/m);
  writeFileSync(path.join(folder, 'content-types/code.ts'), '');
  await printed(/^content-types\/code\.ts changed: restarting\n/m);
  await printed(/^The service has ended/m);
  rmSync(webhooks);
  const [, url = ''] = await printed(READY);
  expect((await fetch(`${url}/api/notes`)).status).toBe(403);
});

test('dev notices what npm has installed', async () => {
  write({ title: { type: 'string' } });
  mkdirSync(path.join(folder, 'node_modules'), { recursive: true });
  run([process.execPath, command, 'dev'], {
    MONGODB_URI: process.env['TEST_MONGODB_URI'],
    DATABASE_NAME: `dev_installed_${process.pid}`,
  });
  await printed(READY);
  writeFileSync(path.join(folder, 'node_modules/.package-lock.json'), '{ "packages": {} }');
  await printed(/^node_modules\/\.package-lock\.json changed: restarting\n/m);
  const [, url = ''] = await printed(READY);
  expect((await fetch(`${url}/_health`)).ok).toBe(true);
});

test('dev keeps the service running while its settings are wrong, and notices a changed .env', async () => {
  write({ title: { type: 'string' } });
  run([process.execPath, command, 'dev'], {
    MONGODB_URI: process.env['TEST_MONGODB_URI'],
    DATABASE_NAME: `dev_settings_${process.pid}`,
  });
  const [, url = ''] = await printed(READY);
  mkdirSync(path.join(folder, 'config'));
  writeFileSync(path.join(folder, '.env'), 'NOTHING=1\n');
  await printed(/^\.env changed: restarting\n/m);
  const [, next = ''] = await printed(READY);
  const webhook = { name: 'x', url: 'http://localhost:1', events: ['entry.create'], secret: { env: 'HOOK_SECRET' } };
  writeFileSync(path.join(folder, 'config/webhooks.json'), JSON.stringify({ webhooks: [webhook] }));
  writeFileSync(path.join(folder, '.env'), 'LOG_LEVEL=info\n');
  await printed(/secret\.env the environment variable HOOK_SECRET is not set/);
  await printed(/^The service keeps running unchanged\.\n/m);
  expect((await fetch(`${next}/api/notes`)).status).toBe(403);
  writeFileSync(path.join(folder, '.env'), 'HOOK_SECRET=at-least-sixteen-characters\n');
  await printed(READY);
  expect(url).not.toBe('');
});

test('dev names its engine first, and stops engine and service when npx is stopped', async () => {
  write({ title: { type: 'string' } });
  // As npx does: a shell, which dies of a signal without passing it on.
  run(['/bin/sh', '-c', `"${process.execPath}" "${command}" dev; true`], {
    DATABASE: 'embedded',
    MONGODB_URI: undefined,
    npm_lifecycle_event: 'npx',
  });
  await printed(/^Database: the embedded MongoDB engine .*, data in .*\.data\/database\n/);
  await printed(READY);
  // When no process holds them any more.
  const closed = once(program.stdout as Readable, 'close');
  program.kill('SIGTERM');
  await printed(/Stopped/);
  expect(await closed).toEqual([false]);
});

test('dev that cannot start says why, and ends with the exit code of its help', async () => {
  run([process.execPath, command, 'dev'], { PORT: 'none' });
  const ended = once(program, 'exit');
  await printed(/^PORT is "none"; allowed: .*\n/);
  expect(await ended).toEqual([1, null]);
});
