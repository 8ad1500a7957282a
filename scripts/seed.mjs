/** Puts the entries of seed files into the project: `npm run seed`, see docs/seeding.md. Ctrl+C stops it, twice at once. */
import { seed } from '../dist/seed/seed.js';
import { untilStopped } from '../dist/process/until-stopped.js';

const underNpm = process.env.npm_lifecycle_event !== undefined;
process.exitCode = await untilStopped(underNpm, (stopping) => seed(process.argv.slice(2), stopping));
