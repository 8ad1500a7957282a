import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { DatabaseConfig } from '../../config/config.js';
import { requirePackages } from '../../config/optional-package.js';
import type { Logger } from '../../errors/logger.js';
import { reasonOf } from '../../errors/reason-of.js';
import { StartError } from '../../errors/start-error.js';
import type { EngineVersion } from './data-folder.js';
import { type EmbeddedEngine, findEmbeddedEngine } from './embedded-engine.js';
import { findMongod } from './find-mongod.js';
import type { RuntimeFolder } from './process/runtime-folder.js';
import type { Command } from './process/start-server.js';

type Source =
  | { readonly kind: 'uri'; readonly uri: string }
  | { readonly kind: 'mongod'; readonly program: string }
  | (EmbeddedEngine & { readonly kind: 'embedded' })
  | { readonly kind: 'download' };

const howToGetOne = 'set MONGODB_URI, install mongod (https://www.mongodb.com/try/download), or set DATABASE=download';

/**
 * Selects in order of preference: a URI, a local mongod, the embedded engine; or the engine in DATABASE. The selected
 * one is not replaced by the next if it fails.
 * @throws StartError if the selected one does not exist
 */
export async function chooseDatabaseSource(settings: DatabaseConfig): Promise<Source> {
  const mongod = () => findMongod(settings.systemBinary, settings.searchPath);
  switch (settings.choice) {
    case 'auto': {
      if (settings.uri !== undefined) return { kind: 'uri', uri: settings.uri };
      const program = mongod();
      return program === undefined ? chooseEmbedded() : { kind: 'mongod', program };
    }
    case 'mongod': {
      const program = mongod();
      if (program !== undefined) return { kind: 'mongod', program };
      throw new StartError(
        `DATABASE is "mongod", but there is none on the PATH; set MONGOMS_SYSTEM_BINARY to its path`,
      );
    }
    case 'embedded':
      return chooseEmbedded();
    case 'download':
      return { kind: 'download' };
    default:
      return settings.choice satisfies never;
  }
}

async function chooseEmbedded(): Promise<Source> {
  const engine = await findEmbeddedEngine();
  if ('program' in engine) return { kind: 'embedded', ...engine };
  throw new StartError(`No database: the embedded engine is not available: ${engine.unavailable}; ${howToGetOne}`);
}

/** A database program that can be run on a data folder. */
export interface Engine extends EngineVersion {
  /** For people. */
  readonly name: string;
  readonly command: (dataPath: string, runtime: RuntimeFolder) => Command;
}

/** @throws StartError if the program is not available or does not print its version */
export async function prepareEngine(source: Exclude<Source, { kind: 'uri' }>, log: Logger): Promise<Engine> {
  switch (source.kind) {
    case 'embedded': {
      const { program, version } = source;
      const command: Engine['command'] = (dataPath, runtime) => embeddedCommand(program, dataPath, runtime);
      return { engine: 'embedded', version, name: `the embedded MongoDB engine ${version}`, command };
    }
    case 'mongod':
      return describeMongod(source.program);
    case 'download':
      return describeMongod(await download(log));
    default:
      return source satisfies never;
  }
}

async function describeMongod(program: string): Promise<Engine> {
  const output = await promisify(execFile)(program, ['--version']).catch((error: Error) => ({ stdout: error.message }));
  const [, fullVersion, version] = /db version v((\d+\.\d+)\S*)/.exec(output.stdout) ?? [];
  if (fullVersion === undefined || version === undefined) {
    throw new StartError(`${program} does not print its version, but "${output.stdout.split('\n', 1).join()}"`);
  }
  const command: Engine['command'] = (dataPath, runtime) => mongodCommand(program, dataPath, runtime);
  return { engine: 'mongod', version, name: `mongod ${fullVersion} (${program})`, command };
}

/** The mongod that mongodb-memory-server downloads and caches. Returns its path. */
async function download(log: Logger): Promise<string> {
  requirePackages('DATABASE=download needs the package mongodb-memory-server-core', 'mongodb-memory-server-core');
  try {
    const { MongoBinary } = await import('mongodb-memory-server-core');
    log.info('Looking for the mongod of mongodb-memory-server; the first time it is downloaded');
    return await MongoBinary.getPath();
  } catch (error) {
    throw new StartError(`mongod cannot be downloaded: ${reasonOf(error)}`);
  }
}

/**
 * mongod has no option to stop with its parent. So a shell becomes mongod, and leaves a child process that
 * waits for the end of the input and then terminates mongod.
 */
const endWithInput = 'exec 3<&0; { cat <&3; kill -TERM $$; } >/dev/null 2>&1 & exec "$0" "$@" 3<&- </dev/null';

/** The command that serves the embedded engine on a folder of data. */
function embeddedCommand(server: string, dataPath: string, runtime: RuntimeFolder): Command {
  const args = [server, '--dbpath', dataPath, '--bind_ip', runtime.socket, '--exitOnStdinEnd'];
  return { program: process.execPath, args };
}

/**
 * The command that serves mongod on a folder of data. Without the prefix mongod would also listen on a socket that all
 * mongods of this machine share.
 */
function mongodCommand(mongod: string, dataPath: string, runtime: RuntimeFolder): Command {
  const options = ['--dbpath', dataPath, '--bind_ip', runtime.socket, '--unixSocketPrefix', runtime.folder];
  return { program: '/bin/sh', args: ['-c', endWithInput, mongod, ...options] };
}
