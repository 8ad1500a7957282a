/** Imports what Strapi exported into the project: `npm run import`, see docs/migration.md. Ctrl+C stops it, twice at once. */
import { runImport } from '../dist/import/import.js';
import { untilStopped } from '../dist/process/until-stopped.js';

const underNpm = process.env.npm_lifecycle_event !== undefined;
process.exitCode = await untilStopped(underNpm, (stopping) => runImport(process.argv.slice(2), stopping));
