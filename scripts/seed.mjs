/** Puts the entries of seed files into the project: `npm run seed`, see docs/seeding.md. Ctrl+C stops it, twice at once. */
import { seed } from '../dist/seed/seed.js';
import { whenStopped } from './when-stopped.mjs';

const stopping = new AbortController();
whenStopped(() => {
  if (stopping.signal.aborted) process.exit(130);
  stopping.abort();
});
process.exitCode = await seed(process.argv.slice(2), stopping.signal);
