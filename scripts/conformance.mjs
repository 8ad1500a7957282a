/** Replays the conformance corpus and prints how every area of the API stands: `npm run conformance`, see docs/internals/conformance.md. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';

await import('./setup.mjs');

const { conformance } = await import('../dist/.conformance/conformance.js');

process.env.TZ = 'UTC';
const tests = fileURLToPath(new URL('../tests', import.meta.url));
const files = {
  contentTypes: {
    corpus: path.join(tests, 'fixtures', 'corpus'),
    ratchet: path.join(tests, 'conformance', 'ratchet.json'),
  },
  project: {
    corpus: path.join(tests, 'fixtures', 'project-corpus'),
    ratchet: path.join(tests, 'conformance', 'project-ratchet.json'),
  },
};
process.exitCode = await conformance(process.argv.slice(2), files, process.env.MONGODB_URI);
