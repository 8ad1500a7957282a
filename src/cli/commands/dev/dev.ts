import { fork, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, statSync, watch } from 'node:fs';
import path from 'node:path';
import type { Config } from '../../../config/config.js';
import { readConfig } from '../../../config/load-config.js';
import { load } from '../../../content-types/load/load.js';
import { packageFolder } from '../../../config/package-folder.js';
import { StartError } from '../../../errors/start-error.js';
import { loadRegistry } from '../../../app/load-registry.js';
import { openDatabase } from '../../../mongo/connection/open-database.js';
import { onShutdownSignal } from '../../../server/shutdown-signal.js';

/** Milliseconds to wait for further changes: an editor or a build writes many files. */
const SETTLE = 50;

/**
 * Runs the service of the project in this folder, and restarts it on every change. While the content types are invalid,
 * the previous service continues.
 * @param built folders of code to watch beside the project's own
 * @throws StartError when the settings or definitions cannot be read, or the database cannot be used
 */
export async function develop(built: readonly string[] = []): Promise<void> {
  const config = await readConfig();
  const { contentTypes } = config.folders;
  await load(contentTypes);
  // A local engine keeps running, because it takes longer to start than the service.
  const database = config.database.uri === undefined ? await openDatabase(config.database, log) : undefined;
  // The service itself sees a MongoDB at some socket.
  if (database !== undefined) console.log(`Database: ${database.description}`);
  const environment = {
    // Browsers keep connections open; a restart does not wait for them.
    CLOSE_DELAY: '0',
    ...config.variables,
    ...(database?.uri !== undefined && {
      MONGODB_URI: database.uri,
      DATABASE: 'auto',
      DATABASE_NAME: config.database.name,
    }),
  };
  let service = start(environment);
  let restarting = Promise.resolve();
  const restart = async (file: string): Promise<void> => {
    const mistakes = file.startsWith(contentTypes) ? await findMistakes(config) : undefined;
    if (mistakes !== undefined) {
      console.error(`${mistakes}\nThe service keeps running unchanged.`);
      return;
    }
    console.log(`${path.relative(config.folders.project, file)} changed: restarting`);
    await end(service);
    service = start(environment);
  };
  let timer: NodeJS.Timeout | undefined;
  for (const folder of [contentTypes, ...['config', 'extensions'].map((name) => path.resolve(name)), ...built]) {
    if (!existsSync(folder)) continue;
    watchTree(folder, (file) => {
      if (!/\.(?:m?js|json)$/.test(file)) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        restarting = restarting.then(() => restart(file));
      }, SETTLE);
    });
  }
  const endListening = onShutdownSignal(() => {
    // A second signal ends this process immediately.
    endListening();
    void end(service)
      .then(() => database?.close())
      .then(() => process.exit(0));
  });
}

function start(env: Config['variables']): ChildProcess {
  return fork(path.join(packageFolder, 'dist', 'main.js'), {
    execArgv: [...process.execArgv, '--enable-source-maps'],
    env,
  });
}

function end(service: ChildProcess): Promise<unknown> {
  if (service.exitCode !== null || service.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    service.once('exit', resolve);
    service.kill('SIGTERM');
  });
}

/** A message about the mistakes in the definitions; undefined if there are none. */
async function findMistakes(config: Config): Promise<string | undefined> {
  try {
    await loadRegistry(config);
    return undefined;
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
}

const log = { info: console.log, warn: console.error, error: console.error };

/**
 * Reports which file in or below a folder has changed. Each folder is watched separately: a recursive watch of Node 20
 * loses a file that an editor replaces by another.
 */
function watchTree(folder: string, onChange: (file: string) => void, watched = new Set<string>()): void {
  if (watched.has(folder)) return;
  watched.add(folder);
  const watcher = watch(folder, (_, name) => {
    const file = path.join(folder, name ?? '');
    if (isFolder(file)) watchTree(file, onChange, watched);
    if (!isFolder(folder)) {
      watcher.close();
      watched.delete(folder);
    }
    onChange(file);
  });
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) watchTree(path.join(folder, entry.name), onChange, watched);
  }
}

const isFolder = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
