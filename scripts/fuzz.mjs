/**
 * `npm run fuzz [requests] [seed]`: sends random and broken requests to every route of a service of its own, on this
 * machine, 10,000 unless told otherwise, and checks every answer. The same seed sends the same. See tests/fuzz.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

await import('./setup.mjs');

const [requests = '10000', seed = '1'] = process.argv.slice(2);
if (!(Number(requests) > 0 && Number.isInteger(Number(seed)))) {
  console.error('npm run fuzz [requests] [seed]: both are numbers');
  process.exit(2);
}
const jest = path.join('node_modules', 'jest', 'bin', 'jest.js');
const { status } = spawnSync(process.execPath, ['--expose-gc', jest, '--runInBand', 'tests/fuzz', '--forceExit'], {
  stdio: 'inherit',
  env: { ...process.env, FUZZ_REQUESTS: requests, FUZZ_SEED: seed },
});
process.exitCode = status ?? 1;
