import path from 'node:path';
import { packageFolder } from '../../../config/package-folder.js';
import type { RuntimeFolder } from './runtime-folder.js';
import type { Command } from './start-server.js';

/** The program that serves the embedded engine as if it were mongod. */
export const embeddedProgram = path.join(packageFolder, 'bin', 'embedded-mongod.mjs');

/**
 * mongod has no option to stop with its parent. So a shell becomes mongod, and leaves a child process that
 * waits for the end of the input and then terminates mongod.
 */
const endWithInput = 'exec 3<&0; { cat <&3; kill -TERM $$; } >/dev/null 2>&1 & exec "$0" "$@" 3<&- </dev/null';

/** The command that serves the embedded engine on a folder of data. */
export function embeddedCommand(dataPath: string, runtime: RuntimeFolder): Command {
  const args = [embeddedProgram, '--dbpath', dataPath, '--bind_ip', runtime.socket, '--exitOnStdinEnd'];
  return { program: process.execPath, args };
}

/** The command that serves mongod on a folder of data. Without the prefix mongod would also listen on a socket that all mongods of this machine share. */
export function mongodCommand(mongod: string, dataPath: string, runtime: RuntimeFolder): Command {
  const options = ['--dbpath', dataPath, '--bind_ip', runtime.socket, '--unixSocketPrefix', runtime.folder];
  return { program: '/bin/sh', args: ['-c', endWithInput, mongod, ...options] };
}
