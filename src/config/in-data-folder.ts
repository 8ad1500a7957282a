import { StartError } from '../errors/start-error.js';

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EROFS: 'it is read-only',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  ENOENT: 'no folder can be made there',
  EEXIST: 'a file is in its place',
  ENOTDIR: 'a file is in its place',
};

/** Does work in the data folder. @throws StartError when the file system does not let it, saying why */
export function inDataFolder<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const reason = reasons[code] ?? message;
    throw new StartError(
      `The data folder ${folder} cannot be used: ${reason}; mend that, or set DATA_FOLDER to another`,
    );
  }
}
