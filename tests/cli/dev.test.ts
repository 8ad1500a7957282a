import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';

const folder = mkdtempSync(path.join(os.tmpdir(), 'content-service-dev-'));
const file = path.join(folder, 'content-types/note.json');
let program: ChildProcess;
let output = '';
let wake: () => void = () => undefined;

afterEach(async () => {
  const ended = new Promise((resolve) => {
    program.once('exit', resolve);
  });
  program.kill('SIGTERM');
  await ended;
  rmSync(folder, { recursive: true, force: true });
});

const write = (attributes: object): void => {
  const info = { singularName: 'note', pluralName: 'notes', displayName: 'Note' };
  // As editors do: the file is replaced by another.
  writeFileSync(`${file}.new`, JSON.stringify({ info, attributes }, null, 2));
  renameSync(`${file}.new`, file);
};

/** Waits until something new is printed that fits; gives it. */
async function printed(pattern: RegExp): Promise<RegExpExecArray> {
  for (;;) {
    const found = pattern.exec(output);
    if (found !== null) {
      output = output.slice(found.index + found[0].length);
      return found;
    }
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}

const READY = /Ready on (http:\/\/[^ ]+)/;

test('dev tells what changed in the content types and starts anew; while they are broken the service goes on', async () => {
  mkdirSync(path.dirname(file));
  write({ title: { type: 'string' } });
  program = spawn(process.execPath, [path.resolve('bin/content-service.mjs'), 'dev'], {
    cwd: folder,
    env: {
      ...process.env,
      MONGODB_URI: process.env['TEST_MONGODB_URI'],
      DATABASE_NAME: `dev_${process.pid}`,
      PORT: '0',
    },
  });
  const note = (part: Buffer): void => {
    output += part.toString();
    wake();
  };
  program.stdout?.on('data', note);
  program.stderr?.on('data', note);
  await printed(READY);

  write({ title: { type: 'text' }, author: { type: 'string' } });
  await printed(/~ api::note\.note\.title: type "string" → "text"\n\+ api::note\.note\.author: string\n/);
  const [, url = ''] = await printed(READY);

  write({ title: { type: 'text' }, author: { type: 'strin' } });
  await printed(/content-types\/note\.json:12: attributes\.author\.type .*\nThe service goes on as it was\.\n/);
  expect((await fetch(`${url}/api/notes`)).status).toBe(403);

  write({ title: { type: 'text' } });
  await printed(/- api::note\.note\.author\n/);
  await printed(READY);
}, 60_000);
