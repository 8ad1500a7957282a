/** Imports what Strapi exported into the project: `npm run import`, see docs/migration.md. Ctrl+C stops it, twice at once. */
import { runImport } from '../dist/import/import.js';
import { whenStopped } from './when-stopped.mjs';

const stopping = new AbortController();
whenStopped(() => {
  if (stopping.signal.aborted) process.exit(130);
  stopping.abort();
});
process.exitCode = await runImport(process.argv.slice(2), stopping.signal);
