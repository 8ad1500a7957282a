/** Serves the world of a conformance corpus: `npm run conformance:serve`, see docs/conformance.md. */
import { conformanceServe } from '../dist/conformance/conformance-serve.js';
import { whenStopped } from '../dist/process/when-stopped.js';

process.env.TZ = 'UTC';
const stopped = new Promise((resolve) => {
  whenStopped(process.env.npm_lifecycle_event !== undefined, resolve);
});
process.exitCode = await conformanceServe(process.argv.slice(2), process.env, stopped);
