import { StartError } from '../errors/start-error.js';

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EROFS: 'it is read-only',
  EACCES: 'this user has no write permission',
  EPERM: 'this user has no write permission',
  ENOENT: 'no folder can be created there',
  EEXIST: 'it is a file, or a file is in its path',
  ENOTDIR: 'it is a file, or a file is in its path',
};

/** Explains a file system error of a folder. */
export function explainFolderError(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return reasons[code ?? ''] ?? message;
}

/** Does work in the data folder. @throws StartError when the file system does not let it, saying why */
export function inDataFolder<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new StartError(
      `The data folder ${folder} cannot be used: ${explainFolderError(error)}; fix that, or set DATA_FOLDER to another folder`,
    );
  }
}
