import fs from 'node:fs';
import path from 'node:path';
import { StartError } from '../../errors/start-error.js';

/**
 * The mongod of this machine: the one that MONGOMS_SYSTEM_BINARY names, else the first on the PATH.
 * @throws StartError when the one that is named is none
 */
export function findMongod(systemBinary: string | undefined, searchPath: readonly string[]): string | undefined {
  if (systemBinary === undefined) return searchPath.map((folder) => path.join(folder, 'mongod')).find(isProgram);
  if (isProgram(systemBinary)) return systemBinary;
  throw new StartError(`MONGOMS_SYSTEM_BINARY is "${systemBinary}"; allowed: the path of an executable program`);
}

function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
