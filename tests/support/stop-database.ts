import type { MemoryServer } from '../../src/mongo/memory-server.js';

/** Jest's global teardown: stops what `start-database` started. */
export default async function stopDatabase(): Promise<void> {
  const testDatabase: MemoryServer | undefined = Reflect.get(globalThis, 'testDatabase');
  await testDatabase?.stop();
}
