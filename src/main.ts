import { runService } from './server/run-service.js';

const options = process.argv.slice(2);
// Without options, as usual, the start does not wait for the command line to be loaded.
if (options.length === 0) runService();
else {
  const { run } = await import('./cli/cli.js');
  const exit = await run(['start', ...options]);
  if (exit !== undefined) process.exitCode = exit;
}
