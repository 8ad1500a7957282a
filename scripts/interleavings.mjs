/**
 * `npm run interleavings [-- --only TEXT] [-- --shard 1/2] [-- --from 80] [-- --replay SEED]`: executes every order of
 * the database commands of two concurrent writes, with a crash after each write command, for all pairs of operations. A
 * finding has a seed, which `--replay` executes again, with every command and reply. `--shard 1/2` executes every
 * second scenario, for one of two processes; `--from 80` leaves out the first 79. See tests/interleavings.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync, createReadStream, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

await import('./setup.mjs');

const text = { type: 'string' };
const { values } = parseArgs({
  options: { only: text, shard: text, from: text, replay: text, schedules: text, crashes: text },
});
const { only = '', shard = '1/1', from = '1', replay, schedules = '200', crashes = '400' } = values;
const folder = mkdtempSync(path.join(os.tmpdir(), 'interleavings-'));
const log = path.join(folder, 'log');
writeFileSync(log, '');
const jest = spawn(
  path.join('node_modules', '.bin', 'jest'),
  ['-i', 'tests/interleavings', '--forceExit', '--testTimeout=86400000'],
  {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      INTERLEAVINGS_LOG: log,
      INTERLEAVINGS_ONLY: only,
      INTERLEAVINGS_SHARD: shard,
      INTERLEAVINGS_FROM: from,
      INTERLEAVINGS_SCHEDULES: schedules,
      INTERLEAVINGS_CRASHES: crashes,
      ...(replay !== undefined && { INTERLEAVINGS_REPLAY: replay }),
    },
  },
);
let start = 0;
const print = () =>
  new Promise((resolve) => {
    createReadStream(log, { start })
      .on('data', (part) => {
        start += part.length;
        process.stdout.write(part);
      })
      .on('end', resolve);
  });
const timer = setInterval(() => void print(), 1000);
jest.on('exit', async (status) => {
  clearInterval(timer);
  await print();
  rmSync(folder, { recursive: true });
  process.exitCode = status ?? 1;
});
