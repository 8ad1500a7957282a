import { readSystem } from '../../config/system.js';
import { embeddedProgram } from './database-source.js';
import { EmbeddedUnavailable, findEnginePackage } from '../../embedded-mongod/engine-package.js';
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
  const { MongoMemoryServer } = await import('mongodb-memory-server-core');
  const { setDefaultValue, ResolveConfigVariables } =
    await import('mongodb-memory-server-core/lib/util/resolveConfig.js');
  // Accepts any version; without this it warns about all versions except the default one.
  setDefaultValue(ResolveConfigVariables.SYSTEM_BINARY_VERSION_CHECK, 'false');
  const { systemBinary, searchPath } = readSystem();
  const program = findMongod(systemBinary, searchPath) ?? findEmbedded();
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

function findEmbedded(): string | undefined {
  try {
    findEnginePackage();
    return embeddedProgram;
  } catch (error) {
    if (error instanceof EmbeddedUnavailable) return undefined;
    throw error;
  }
}
