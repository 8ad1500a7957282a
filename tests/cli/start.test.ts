import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { makeProject, type Project } from '../faults/service-process.js';

let project: Project;
beforeEach(() => {
  project = makeProject();
});
afterEach(() => project.remove());

/** A free port below those that systems assign to connections and to servers without a port of their own. */
async function freePort(port = 20_000 + (process.pid % 10_000)): Promise<number> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return freePort(port + 1);
  }
  server.close();
  await once(server, 'close');
  return port;
}

const start = (...args: readonly string[]) => runProgram('bin/content-service.mjs', 'start', ...args);

function runProgram(program: string, ...args: readonly string[]) {
  const { MONGODB_URI: _, ...environment } = process.env;
  return spawn(process.execPath, [path.resolve(program), ...args], {
    cwd: project.folder,
    env: { ...environment, DATABASE: 'embedded', PORT: '1', DATA_FOLDER: 'unused', FAULT_TOKEN: project.token },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

// `npm start -- --port 4000` runs the second one.
test.each([
  ['content-service start', start],
  ['dist/main.js', (...args: readonly string[]) => runProgram('dist/main.js', ...args)],
])('--port and --data of %s override PORT and DATA_FOLDER', async (_, run) => {
  const port = await freePort();
  const service = run('--port', String(port), '--data', 'mine');
  const ended = once(service, 'exit');
  const ready: string[] = [];
  for await (const line of createInterface({ input: service.stdout })) {
    if (!line.includes('Ready on')) continue;
    ready.push(line);
    service.kill('SIGTERM');
  }
  expect(ready).toEqual([expect.stringContaining(`Ready on http://127.0.0.1:${port} in`)]);
  expect(await ended).toEqual([0, null]);
  expect([
    fs.existsSync(path.join(project.folder, 'mine')),
    fs.existsSync(path.join(project.folder, 'unused')),
  ]).toEqual([true, false]);
});

test('an invalid --port is reported like an invalid PORT', async () => {
  const service = start('--port', 'x');
  const ended = once(service, 'exit');
  let output = '';
  for await (const part of service.stderr) output += String(part);
  expect(output).toContain('PORT is "x"; allowed: a whole number from 0 to 65535');
  expect(await ended).toEqual([1, null]);
});

test('dist/main.js refuses unknown options', async () => {
  const service = runProgram('dist/main.js', '--prot', '4000');
  const ended = once(service, 'exit');
  let output = '';
  for await (const part of service.stderr) output += String(part);
  expect(output).toContain("unknown option '--prot'");
  expect(await ended).toEqual([2, null]);
});
