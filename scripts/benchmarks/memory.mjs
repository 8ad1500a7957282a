import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startService } from './children.mjs';
import { childrenOf, memoryOf } from './cost.mjs';
import { seedForService } from './seed.mjs';
import { workloads } from './workloads.mjs';

const requestsSent = 10_000;
/** Milliseconds after which a process that has just started, or been busy, is looked at. */
const settle = 1000;

/**
 * Measures the memory of the service, and of the engine that it runs itself, after the start and after 10,000 reads
 * of all kinds.
 * @param environment says which database: `{ MONGODB_URI, DATABASE_NAME }`, or `{ DATABASE: 'embedded' }`
 */
export async function measureMemory(name, environment, folder, load, { count, connections }) {
  const service = await startService(environment, folder);
  const look = async () => {
    await wait(settle);
    const engines = childrenOf(service.pid).map((pid) => memoryOf(pid) ?? 0);
    return { service: memoryOf(service.pid), engine: engines.length > 0 ? Math.max(...engines) : undefined };
  };
  const start = await look();
  const reads = Object.values(workloads).filter(({ writes }) => !writes);
  const requests = reads.flatMap((workload) => workload.service(count));
  const { url, headers } = service;
  const { failures } = await load.run({ url, headers, requests, connections, amount: requestsSent });
  if (failures > 0) throw new Error(`${name}: ${failures} of ${requestsSent} requests failed`);
  const busy = await look();
  await service.stop();
  return { name, start, busy };
}

/** Makes a data folder with the world in it, for a service that runs the embedded engine itself. */
export async function seedDataFolder(folder, name, count) {
  const { openDatabase } = await import(path.resolve(import.meta.dirname, '../../dist/index.js'));
  fs.mkdirSync(folder, { recursive: true });
  const silent = { info: () => {}, warn: () => {}, error: () => {} };
  const database = await openDatabase({ choice: 'embedded', name, dataFolder: folder }, silent);
  await seedForService(database.db, count);
  await database.close();
}
