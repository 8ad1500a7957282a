/** Serves the world of a conformance corpus: `npm run conformance:serve`, see docs/conformance.md. */
import { conformanceServe } from '../dist/conformance/conformance-serve.js';

process.env.TZ = 'UTC';
const stopped = new Promise((resolve) => {
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, resolve);
});
process.exitCode = await conformanceServe(process.argv.slice(2), process.env, stopped);
