import type { startMemoryServer as start } from '../../src/mongo/connection/memory-server.js';
import makeFolder from './make-folder.mjs';

/** Built code, as Jest's global setup knows no module mapper; `npm test` builds first. */
const built = '../../dist/mongo/connection/memory-server.js';

/**
 * Jest's global setup: one folder for the temporary files of the whole run, and one database. TEST_MONGODB_URI has its
 * URI, unless it had one already.
 */
export default async function startDatabase(): Promise<void> {
  makeFolder();
  if (process.env['TEST_MONGODB_URI']) return;
  const { startMemoryServer }: { startMemoryServer: typeof start } = await import(built);
  const testDatabase = await startMemoryServer();
  process.env['TEST_MONGODB_URI'] = testDatabase.uri;
  Object.assign(globalThis, { testDatabase });
}
