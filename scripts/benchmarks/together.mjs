/**
 * Services with different settings in one process, which compiles their code once: two processes of one build differ by
 * more than many a setting costs. Takes their environments by name as JSON, and prints their addresses by name.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';

const { createService, loadConfig, openDatabase } = await import('../../dist/index.js');
const log = { info: () => undefined, warn: console.error, error: console.error };

async function serve(environment) {
  const config = await loadConfig(environment, environment.DATA_FOLDER);
  const { handler } = await createService(config, openDatabase(config.database, log), log);
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${server.address().port}`;
}

const urls = {};
for (const [name, environment] of Object.entries(JSON.parse(process.argv[2]))) urls[name] = await serve(environment);
console.log(JSON.stringify(urls));
// Node writes a profile where it ends by itself.
process.once('SIGTERM', () => process.exit());
