import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { StartError } from '../../../errors/start-error.js';

/** A folder for the socket of a database process, accessible to this user only. */
export interface RuntimeFolder {
  /** Named as by mongod itself, so that mongod listens once, not twice. */
  readonly socket: string;
  readonly folder: string;
  remove(): void;
}

/** The path of a Unix socket has at most 104 bytes (macOS) or 108 (Linux), including the terminator. */
const longestPath = 103;

/** @throws StartError if no folder has a path that is short enough */
export function makeRuntimeFolder(): RuntimeFolder {
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
    socket: path.join(folder, 'mongodb-27017.sock'),
    remove: () => {
      process.off('exit', removeFolder);
      removeFolder();
    },
  };
}
