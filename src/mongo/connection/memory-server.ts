import { requirePackages } from '../../config/optional-package.js';
import { readSystem } from '../../config/system.js';
import { findEmbeddedEngine } from './embedded-engine.js';
import { findMongod } from './find-mongod.js';

/** A database for tests; its data is deleted when it stops. */
export interface MemoryServer {
  readonly uri: string;
  stop(): Promise<void>;
}

/** The engine starts slowly on a busy machine. */
const LAUNCH_TIMEOUT_MS = 60_000;

/** Starts a database for tests: the local mongod, otherwise the embedded engine, otherwise a downloaded mongod. */
export async function startMemoryServer(): Promise<MemoryServer> {
  requirePackages('A database for tests needs the package mongodb-memory-server-core', 'mongodb-memory-server-core');
  const { MongoMemoryServer } = await import('mongodb-memory-server-core');
  const { setDefaultValue, ResolveConfigVariables } =
    await import('mongodb-memory-server-core/lib/util/resolveConfig.js');
  // Accepts any version; without this it warns about all versions except the default one.
  setDefaultValue(ResolveConfigVariables.SYSTEM_BINARY_VERSION_CHECK, 'false');
  const { systemBinary, searchPath } = readSystem();
  const program = findMongod(systemBinary, searchPath) ?? (await findEmbedded());
  const server = await MongoMemoryServer.create({
    ...(program === undefined ? {} : { binary: { systemBinary: program } }),
    instance: { storageEngine: 'wiredTiger', launchTimeout: LAUNCH_TIMEOUT_MS },
  });
  return {
    uri: server.getUri(),
    stop: async () => {
      await server.stop({ doCleanup: true, force: true });
    },
  };
}

async function findEmbedded(): Promise<string | undefined> {
  const engine = await findEmbeddedEngine();
  return 'program' in engine ? engine.program : undefined;
}
