/** Brings the stored data to the content types: `npm run migrate`, see docs/migrate.md. Ctrl+C stops it, twice at once. */
import { migrate } from '../dist/migrate/migrate.js';
import { whenStopped } from './when-stopped.mjs';

const stopping = new AbortController();
whenStopped(() => {
  if (stopping.signal.aborted) process.exit(130);
  stopping.abort();
});
process.exitCode = await migrate(process.argv.slice(2), stopping.signal);
