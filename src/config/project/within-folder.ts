import fs from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** Does work with code of a project in its folder: as in Strapi v4, relative paths in the code begin there. */
export async function withinFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const former = process.cwd();
  // Threads cannot change it.
  if (!isMainThread || !fs.existsSync(folder)) return work();
  process.chdir(folder);
  try {
    return await work();
  } finally {
    process.chdir(former);
  }
}
