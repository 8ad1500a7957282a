import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Logger } from '../../errors/logger.js';
import { StartError } from '../../errors/start-error.js';
import { reasonOf } from '../../errors/reason-of.js';
import { embeddedCommand, mongodCommand } from './process/commands.js';
import type { RuntimeFolder } from './process/runtime-folder.js';
import type { Command } from './process/start-server.js';
import type { Source } from './database-source.js';
import type { EngineVersion } from './data-folder.js';

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
      const { version } = source;
      return { engine: 'embedded', version, name: `the embedded MongoDB engine ${version}`, command: embeddedCommand };
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
  try {
    const { MongoBinary } = await import('mongodb-memory-server-core');
    log.info('Looking for the mongod of mongodb-memory-server; the first time it is downloaded');
    return await MongoBinary.getPath();
  } catch (error) {
    throw new StartError(`mongod cannot be downloaded: ${reasonOf(error)}`);
  }
}
