/** `npm run dev`: builds on every change of the code, and starts the service anew. */
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';

const [argument] = process.argv.slice(2);
if (argument !== undefined) {
  console.error(`npm run dev has no argument ${argument}; settings are environment variables, e.g. PORT`);
  process.exit(2);
}
await import('./setup.mjs');
const { develop } = await import('../dist/cli/commands/dev/dev.js');

const tsc = path.join('node_modules', '.bin', 'tsc');
// A file for each module first, over the few of the build: then a change writes one, and starts the service once.
spawnSync(tsc, ['-p', '.'], { stdio: 'inherit' });
const options = ['-p', '.', '--watch', '--preserveWatchOutput'];
const compiler = spawn(tsc, options, { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => compiler.kill());
await develop([path.resolve('dist')]).catch((error) => {
  console.error(error.name === 'StartError' ? error.message : error);
  compiler.kill();
  process.exitCode = 1;
});
