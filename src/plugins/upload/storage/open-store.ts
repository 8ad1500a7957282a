import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { type FileStore, isStoredName } from '../../../mongo/files/file-store.js';
import type { Provider } from './provider.js';
import { openS3Store } from './s3-store.js';

interface StoreParts {
  readonly dataFolder: string;
  readonly gridFiles: FileStore;
  /** Receives the reason why the store cannot be used now, in place of an error. */
  readonly tolerate?: ((problem: string) => void) | undefined;
}

/** Opens the configured store. @throws StartError if it cannot be used */
export async function openStore(
  provider: Provider,
  { dataFolder, gridFiles, tolerate }: StoreParts,
): Promise<FileStore> {
  switch (provider.kind) {
    case 'local':
    // Files from before a provider was configured, or of an import.
    case 'package':
      return openLocalStore(path.join(dataFolder, 'uploads'));
    case 'gridfs':
      return gridFiles;
    case 'aws-s3':
      return openS3Store(provider.s3, tolerate);
    default:
      return provider satisfies never;
  }
}

/** Hidden until it is complete: files whose name starts with a dot are not served. */
const isUnfinished = (name: string): boolean => name.startsWith('.');

/** Files in a local folder, which is created with the first one. */
export function openLocalStore(folder: string): FileStore {
  const pathOf = (name: string): string => {
    if (!isStoredName(name)) throw new Error(`"${name}" cannot be the name of a stored file`);
    return path.join(folder, name);
  };
  return {
    put: async (name, content) => {
      const target = pathOf(name);
      await mkdir(folder, { recursive: true });
      const part = path.join(folder, `.${randomUUID()}`);
      try {
        const handle = await open(part, 'wx', 0o644);
        await pipeline(content, handle.createWriteStream({ flush: true }));
        await rename(part, target);
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
    },
    get: async (name) => {
      const target = pathOf(name);
      const stats = await stat(target).catch(unlessMissing);
      if (!stats?.isFile()) return undefined;
      const { size, mtime, mtimeMs } = stats;
      const version = `${size.toString(16)}-${mtimeMs.toString(16)}`;
      return { size, modified: mtime, version, read: async (range) => createReadStream(target, range) };
    },
    remove: (name) => rm(pathOf(name), { force: true }),
    list: async function* () {
      for await (const file of filesIn(folder)) if (!isUnfinished(file.name)) yield file;
    },
    removeUnfinished: async (before) => {
      for await (const { name, modified } of filesIn(folder)) {
        if (isUnfinished(name) && modified < before) await rm(path.join(folder, name), { force: true });
      }
    },
  };
}

async function* filesIn(folder: string): ReturnType<FileStore['list']> {
  const entries = await opendir(folder).catch(unlessMissing);
  for await (const entry of entries ?? []) {
    const stats = entry.isFile() ? await stat(path.join(folder, entry.name)).catch(unlessMissing) : undefined;
    if (stats !== undefined) yield { name: entry.name, modified: stats.mtime };
  }
}

function unlessMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
