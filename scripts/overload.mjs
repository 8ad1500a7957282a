/**
 * `node scripts/overload.mjs [seconds]`: sends ten times as many requests at once as the service takes to be busy, and
 * compares how many it answers, how quickly, and how quickly it refuses the others. Then once more with the ordinary
 * load.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import autocannon from 'autocannon';

await import('./setup.mjs');

const [seconds = '10'] = process.argv.slice(2);
const BUSY = 64;
const production = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PORT: '0',
  DATABASE: process.env.MONGODB_URI ? 'auto' : 'embedded',
  JWT_SECRET: 'only-for-this-run',
  API_TOKEN_SALT: 'salt-only-for-this-run',
};

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'content-service-overload-'));
const service = spawn(process.execPath, ['dist/main.js'], {
  env: { ...process.env, ...production, DATA_FOLDER: folder },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = new Promise((resolve) => service.once('exit', resolve));
const url = await readUrl(service);
await run(url, BUSY, 3);
const rows = [];
for (const [load, connections] of Object.entries({
  busy: BUSY,
  'ten times as many': BUSY * 10,
  'busy again': BUSY,
})) {
  rows.push({ load, ...(await run(url, connections, Number(seconds))) });
}
console.table(rows);
service.kill('SIGTERM');
console.log(`ended with ${await ended}`);
fs.rmSync(folder, { recursive: true, force: true });

async function readUrl({ stdout }) {
  for await (const line of createInterface({ input: stdout })) {
    const [, url] = /Ready on (http\S+) in/.exec(line) ?? [];
    if (url !== undefined) {
      stdout.resume();
      return url;
    }
  }
  throw new Error('The service does not start');
}

/** Requests that were answered and refused in a second, and milliseconds of both. */
async function run(url, connections, duration) {
  const accepted = [];
  const refused = [];
  const load = autocannon({ url: `${url}/api/articles/1`, connections, duration, timeout: 30 });
  load.on('response', (_client, status, _bytes, time) => (status === 200 ? accepted : refused).push(time));
  const { errors } = await load;
  return {
    connections,
    'answered/s': Math.round(accepted.length / duration),
    'p50 ms': at(accepted, 0.5),
    'p99 ms': at(accepted, 0.99),
    'refused/s': Math.round(refused.length / duration),
    'p99 ms of refusals': at(refused, 0.99),
    errors,
  };
}

function at(times, part) {
  const sorted = times.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.floor(sorted.length * part)] ?? 0);
}
