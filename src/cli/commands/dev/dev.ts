import { fork, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, statSync, watch } from 'node:fs';
import path from 'node:path';
import { readConfig } from '../../../config/load-config.js';
import { load } from '../../../content-types/load/load.js';
import { packageFolder } from '../../../config/package-folder.js';
import { processVariables, SUCCESSOR } from '../../../config/system.js';
import { openDatabase } from '../../../mongo/connection/open-database.js';
import { LISTEN, PREPARED } from '../../../server/handover.js';
import { onShutdownSignal } from '../../../server/shutdown-signal.js';
import { commandLog } from '../../io/command-log.js';

/** Milliseconds to wait for further changes: an editor or a build writes many files. */
const SETTLE = 50;

/**
 * Runs the service of the project in this folder, and restarts it on every change of content types, code, settings,
 * `.env` or what npm has installed. The next one takes over when it only needs the address: if it cannot start, the
 * previous one continues.
 * @param built folders of code to watch beside the project's own
 * @throws StartError when the settings or definitions cannot be read, or the database cannot be used
 */
export async function develop(built: readonly string[] = []): Promise<void> {
  const inherited = processVariables();
  const config = await readConfig();
  const { contentTypes, project } = config.folders;
  await load(contentTypes);
  // A local engine keeps running, because it takes longer to start than the service.
  const database = config.database.uri === undefined ? await openDatabase(config.database, log) : undefined;
  // The service itself sees a MongoDB at some socket.
  if (database !== undefined) console.log(`Database: ${database.description}`);
  const environment = {
    ...inherited,
    // Browsers keep connections open; a restart does not wait for them.
    CLOSE_DELAY: config.variables['CLOSE_DELAY'] ?? '0',
    ...(database?.uri !== undefined && {
      MONGODB_URI: database.uri,
      DATABASE: 'auto',
      DATABASE_NAME: config.database.name,
    }),
  };
  const begin = (): ChildProcess => {
    const begun = start(environment);
    begun.once('exit', (code) => {
      if (code !== null && code !== 0)
        console.error(`The service has ended with exit code ${code}. It starts again when a file changes.`);
    });
    return begun;
  };
  let service = begin();
  let successor: ChildProcess | undefined;
  let restarting = Promise.resolve();
  const restart = async (file: string): Promise<void> => {
    console.log(`${path.relative(project, file)} changed: restarting`);
    if (hasEnded(service) || config.server.workers > 1) {
      await end(service);
      service = begin();
      return;
    }
    const next = start({ ...environment, [SUCCESSOR]: 'true' });
    successor = next;
    if (await isPrepared(next)) {
      await end(service);
      service = next;
      next.send(LISTEN);
    } else console.error('The service keeps running unchanged.');
    successor = undefined;
  };
  let timer: NodeJS.Timeout | undefined;
  const onChange = (file: string): void => {
    if (!/\.(?:[cm]?[jt]s|json)$|[/\\]\.env$/.test(file)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      restarting = restarting.then(() => restart(file));
    }, SETTLE);
  };
  // Not the folders in it, such as the data.
  watch(project, (_, name) => void (name === '.env' && onChange(path.join(project, name))));
  // Npm writes it last, when it has installed what a start asked for.
  const modules = path.join(project, 'node_modules');
  if (existsSync(modules))
    watch(modules, (_, name) => {
      const file = path.join(modules, name ?? '');
      if (name === '.package-lock.json' && existsSync(file)) onChange(file);
    });
  for (const folder of [contentTypes, ...['config', 'extensions'].map((name) => path.resolve(name)), ...built]) {
    if (existsSync(folder)) watchTree(folder, onChange);
  }
  const endListening = onShutdownSignal(() => {
    // A second signal ends this process immediately.
    endListening();
    successor?.kill('SIGTERM');
    void end(service)
      .then(() => database?.close())
      .then(() => process.exit(0));
  });
}

function start(env: Readonly<Record<string, string | undefined>>): ChildProcess {
  return fork(path.join(packageFolder, 'dist', 'main.js'), {
    execArgv: [...process.execArgv, '--enable-source-maps'],
    env,
  });
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/** Whether a service only needs the address; false: it has ended, with a reason that it has printed. */
const isPrepared = (service: ChildProcess): Promise<boolean> =>
  new Promise((resolve) => {
    service.once('message', (message) => resolve(message === PREPARED));
    service.once('exit', () => resolve(false));
  });

function end(service: ChildProcess): Promise<unknown> {
  if (hasEnded(service)) return Promise.resolve();
  return new Promise((resolve) => {
    service.once('exit', resolve);
    service.kill('SIGTERM');
  });
}

const log = commandLog({ info: console.log, warn: console.error });

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
