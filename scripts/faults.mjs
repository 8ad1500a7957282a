/**
 * `npm run faults [rounds]`: kills the service, its database, or both at random moments while 16 writers are at work,
 * 20 times unless told otherwise, and makes the database slow, cut off and silent; checks after each that nothing
 * acknowledged is lost. See tests/faults.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

await import('./setup.mjs');

const [rounds = '20'] = process.argv.slice(2);
if (!(Number(rounds) > 0)) {
  console.error('npm run faults [rounds]: a number above 0');
  process.exit(2);
}
const { status } = spawnSync(
  path.join('node_modules', '.bin', 'jest'),
  ['tests/faults', '--forceExit', '--testTimeout=86400000'],
  {
    stdio: 'inherit',
    env: { ...process.env, FAULT_ROUNDS: rounds },
  },
);
process.exitCode = status ?? 1;
