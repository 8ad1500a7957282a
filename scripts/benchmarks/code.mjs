import fs from 'node:fs';
import path from 'node:path';
import { startService } from './children.mjs';
import { growthDatabase } from './growth.mjs';
import { measure } from './measure.mjs';
import { seedForService } from './seed.mjs';
import { articles } from './workloads.mjs';

const source = path.join(import.meta.dirname, 'content-types');
const core = (kind, uid, more = '') =>
  `module.exports = require('@strapi/strapi').factories.createCore${kind}('${uid}'${more});\n`;
const overriding = ', () => ({ async find(ctx) { return super.find(ctx); } })';

/** The content types of the benchmark as a Strapi project, with the code that `strapi generate` writes. */
export function writeProject(folder, controllerOfArticles) {
  const write = (file, text) => {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    fs.writeFileSync(path.join(folder, file), text);
  };
  fs.cpSync(path.join(source, 'components'), path.join(folder, 'src', 'components'), { recursive: true });
  fs.copyFileSync(path.join(source, 'access.json'), path.join(folder, 'access.json'));
  for (const file of fs.readdirSync(source).filter((one) => one.endsWith('.json') && one !== 'access.json')) {
    const name = path.basename(file, '.json');
    const api = `src/api/${name}`;
    const uid = `api::${name}.${name}`;
    write(`${api}/content-types/${name}/schema.json`, fs.readFileSync(path.join(source, file), 'utf8'));
    write(`${api}/routes/${name}.js`, core('Router', uid));
    write(`${api}/services/${name}.js`, core('Service', uid));
    write(`${api}/controllers/${name}.js`, core('Controller', uid, name === 'article' ? controllerOfArticles : ''));
  }
  return folder;
}

const systems = [
  ['without code', () => source],
  ['generated code', (makeFolder) => writeProject(makeFolder('generated'), '')],
  ['`find` calls `super.find`', (makeFolder) => writeProject(makeFolder('overriding'), overriding)],
];

/**
 * Measures a list of a Strapi v4 project: without code, with generated code, and through a controller that overrides
 * `find`.
 * @returns a row for each; `first` is the row without code
 */
export async function measureCode(client, uri, makeFolder, tools, options) {
  const name = growthDatabase(options.sizes[0]);
  await seedForService(client.db(name), options.sizes[0]);
  const requests = { page: [articles('populate=author&pagination[pageSize]=25')] };
  const started = [];
  for (const [title, contentTypes] of systems) {
    const settings = { MONGODB_URI: uri, DATABASE_NAME: name, CONTENT_TYPES: contentTypes(makeFolder) };
    started.push({ ...(await startService(settings, makeFolder(title))), name: title, requests });
  }
  const rows = await measure('page', started, { ...tools, client }, options);
  for (const { stop } of started) await stop();
  return rows.map((row, index) => ({ ...row, ready: started[index].ready, first: rows[0] }));
}
