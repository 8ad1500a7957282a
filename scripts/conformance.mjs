/**
 * Replays the conformance corpus and prints how every area of the API stands: `npm run conformance`, see
 * docs/internals/conformance.md.
 */
import { register } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

await import('./setup.mjs');

// The packages get the same modules as the service in this program.
const modules = new URL('../dist/.conformance/', import.meta.url).href;
const found = `name.replace(/^content-service\\/(plugin|content-api)$/, '${modules}$1.js')`;
const resolve = `(name, context, next) => next(${found}, context)`;
register(`data:text/javascript,${encodeURIComponent(`export const resolve = ${resolve};`)}`);

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
  strapi5Project: {
    corpus: path.join(tests, 'fixtures', 'strapi5-project-corpus'),
    ratchet: path.join(tests, 'conformance', 'strapi5-project-ratchet.json'),
  },
  strapi5: path.join(tests, '..', 'packages', 'strapi5', 'tests', 'fixtures'),
};
process.exitCode = await conformance(process.argv.slice(2), files, process.env.MONGODB_URI);
