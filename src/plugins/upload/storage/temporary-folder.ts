import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, lstat, mkdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { explainFolderError } from '../../../config/explain-folder-error.js';
import { StartError } from '../../../errors/start-error.js';
import type { Provider } from './provider.js';

/**
 * The folder that uploads pass through, shared by all processes of this user. Files of the provider `local` stay on the
 * disk of the data folder; all others pass through the system's temporary folder, so that a service without local files
 * needs no write access to the project.
 * @throws StartError if the folder cannot be written to
 */
export async function openTemporaryFolder(provider: Provider['kind'], dataFolder: string): Promise<string> {
  if (provider === 'local') {
    await checkWritable(dataFolder);
    return path.join(dataFolder, 'uploads-temporary');
  }
  const user = process.getuid?.();
  const folder = path.join(os.tmpdir(), ['content-service-uploads', ...(user === undefined ? [] : [user])].join('-'));
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const stats = await lstat(folder);
    // Other users can write to the system's temporary folder, and could have created a folder with this name.
    if (!stats.isDirectory() || (user !== undefined && stats.uid !== user))
      throw new Error('it belongs to another user');
    await access(folder, constants.W_OK);
  } catch (error) {
    const reason = explainFolderError(error);
    throw new StartError(
      `Uploads need a temporary folder, and ${folder} cannot be used: ${reason}; set TMPDIR to another folder`,
    );
  }
  return folder;
}

/** Does work with a new folder in this one, which is removed afterwards. */
export async function withinFolder<T>(folder: string, work: (own: string) => Promise<T>): Promise<T> {
  const own = path.join(folder, randomUUID());
  await mkdir(own, { recursive: true, mode: 0o700 });
  try {
    return await work(own);
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** Checks the folder or, if it does not exist yet, the nearest existing parent. @throws StartError */
async function checkWritable(dataFolder: string): Promise<void> {
  for (let folder = path.resolve(dataFolder); ; folder = path.dirname(folder)) {
    try {
      await access(folder, constants.W_OK);
      return;
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT' && folder !== path.dirname(folder);
      if (isMissing) continue;
      throw new StartError(
        `Uploads are stored in ${path.join(dataFolder, 'uploads')}, which cannot be used: ${explainFolderError(error)}; ` +
          'fix that, set DATA_FOLDER to another folder, or choose the upload provider "gridfs" or "aws-s3"',
      );
    }
  }
}
