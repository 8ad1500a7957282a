/** Brings the stored data to the content types: `npm run migrate`, see docs/migrate.md. Ctrl+C stops it, twice at once. */
import { migrate } from '../dist/migrate/migrate.js';
import { untilStopped } from '../dist/process/until-stopped.js';

const underNpm = process.env.npm_lifecycle_event !== undefined;
process.exitCode = await untilStopped(underNpm, (stopping) => migrate(process.argv.slice(2), stopping));
