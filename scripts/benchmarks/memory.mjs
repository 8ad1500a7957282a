import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startService } from './children.mjs';
import { childrenOf, memoryOf } from './cost.mjs';
import { workloads } from './workloads.mjs';

const requestsSent = { early: 10_000, late: 200_000 };
/** Milliseconds after which a process that has just started, or been busy, is looked at. */
const settle = 1000;

/**
 * Measures the memory of the service, and of the engine that it runs itself, after the start, and after 10,000
 * and 200,000 reads of these kinds.
 * @param environment says which database: `{ MONGODB_URI, DATABASE_NAME }`, or `{ DATABASE: 'embedded' }`
 */
export async function measureMemory(name, environment, folder, load, { count, connections, only }) {
  const service = await startService(environment, folder);
  const look = async () => {
    await wait(settle);
    const engines = childrenOf(service.pid).map((pid) => memoryOf(pid) ?? 0);
    return { service: memoryOf(service.pid), engine: engines.length > 0 ? Math.max(...engines) : undefined };
  };
  const start = await look();
  const reads = only.map((one) => workloads[one]).filter(({ writes }) => !writes);
  const requests = reads.flatMap((workload) => workload.service(count));
  const { url, headers } = service;
  const after = async (amount) => {
    const { failures } = await load.run({ url, headers, requests, connections, amount });
    if (failures > 0) throw new Error(`${name}: ${failures} of ${amount} requests failed`);
    return look();
  };
  const early = await after(requestsSent.early);
  const late = await after(requestsSent.late - requestsSent.early);
  await service.stop();
  return { name, start, early, late };
}

/** Makes a data folder for a service that runs the embedded engine itself; `fill` puts in what is in it. */
export async function seedDataFolder(folder, name, fill) {
  const { openDatabase } = await import(path.resolve(import.meta.dirname, '../../dist/index.js'));
  fs.mkdirSync(folder, { recursive: true });
  const silent = { info: () => {}, warn: () => {}, error: () => {} };
  const database = await openDatabase({ choice: 'embedded', name, dataFolder: folder }, silent);
  await fill(database.db);
  await database.close();
}
