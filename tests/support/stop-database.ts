import { rmSync } from 'node:fs';
import type { MemoryServer } from '../../src/mongo/connection/memory-server.js';

/** Jest's global teardown: stops what `start-database` started, and removes what tests left. */
export default async function stopDatabase(): Promise<void> {
  const testDatabase: MemoryServer | undefined = Reflect.get(globalThis, 'testDatabase');
  await testDatabase?.stop();
  rmSync(Reflect.get(globalThis, 'testFolder') as string, { recursive: true, force: true, maxRetries: 3 });
}
