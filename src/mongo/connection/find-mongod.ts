import fs from 'node:fs';
import path from 'node:path';
import { StartError } from '../../errors/start-error.js';

/**
 * The local mongod: the one in MONGOMS_SYSTEM_BINARY, otherwise the first on the PATH.
 * @throws StartError if MONGOMS_SYSTEM_BINARY is not an executable program
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
