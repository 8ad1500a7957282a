/** Writes all data of the project into an archive: `npm run export`, see docs/backup.md. Ctrl+C stops it. */
import { runExport } from '../dist/export/export.js';
import { untilStopped } from '../dist/process/until-stopped.js';

const underNpm = process.env.npm_lifecycle_event !== undefined;
process.exitCode = await untilStopped(underNpm, (stopping) => runExport(process.argv.slice(2), stopping));
