/** `npm run dev`: builds on every change and starts the service anew, also when a content type changes. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** Milliseconds to wait for further changes: a build writes many files. */
const SETTLE = 150;
const folders = ['dist', process.env.CONTENT_TYPES ?? 'content-types'];

const compiler = spawn(path.join('node_modules', '.bin', 'tsc'), ['-p', '.', '--watch', '--preserveWatchOutput'], {
  stdio: 'inherit',
});
let service = start();
let timer;

for (const folder of folders) {
  fs.watch(folder, { recursive: true }, (_, name) => {
    if (name !== null && !/\.(?:js|json)$/.test(name)) return;
    clearTimeout(timer);
    timer = setTimeout(() => void restart(name === null ? folder : path.join(folder, name)), SETTLE);
  });
}
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    compiler.kill();
    void stop().then(() => process.exit(0));
  });
}

function start() {
  return spawn(process.execPath, ['--enable-source-maps', 'dist/main.js'], { stdio: 'inherit' });
}

function stop() {
  const ending = service;
  if (ending.exitCode !== null || ending.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    ending.once('exit', resolve);
    ending.kill('SIGTERM');
  });
}

async function restart(file) {
  console.log(`${file} changed: starting again`);
  await stop();
  service = start();
}
