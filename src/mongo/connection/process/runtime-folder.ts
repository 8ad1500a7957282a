import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { StartError } from '../../../errors/start-error.js';

/** The path of a Unix socket has at most 104 bytes (macOS) or 108 (Linux), including the terminator. */
const longestPath = 103;

/**
 * A folder for the socket of a database process, accessible to this user only.
 * @throws StartError if no path is short enough
 */
export function makeRuntimeFolder() {
  const prefix = ['content-service-', 'cs-']
    .flatMap((name) => [path.join(os.tmpdir(), name), path.join('/tmp', name)])
    .find((prefix) => Buffer.byteLength(path.join(`${prefix}XXXXXX`, 'mongodb-27017.sock')) <= longestPath);
  if (prefix === undefined)
    throw new StartError('The path of the temporary folder is too long; set TMPDIR to a shorter one');
  const folder = fs.mkdtempSync(prefix);
  const removeFolder = () => fs.rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeFolder);
  return {
    folder,
    /** Named as by mongod itself, so that mongod listens once, not twice. */
    socket: path.join(folder, 'mongodb-27017.sock'),
    remove: (): void => {
      process.off('exit', removeFolder);
      removeFolder();
    },
  };
}

export type RuntimeFolder = ReturnType<typeof makeRuntimeFolder>;
