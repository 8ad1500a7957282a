import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { DatabaseConfig } from '../../config/config.js';
import type { Logger } from '../../errors/logger.js';
import { chooseDatabaseSource, prepareEngine, type Engine } from './database-source.js';
import type { Database } from './database.js';
import { StartError } from '../../errors/start-error.js';
import { explainFailure, isInUse } from './process/explain-failure.js';
import { supervise } from './process/supervisor.js';
import { makeRuntimeFolder } from './process/runtime-folder.js';
import { ServerFailed, startServer, type Command, type RunningServer } from './process/start-server.js';
import { claimDataFolder } from './data-folder.js';

/**
 * Opens the database in order of preference. A local engine is started before anything slow is done, so call
 * this early, and load other modules while it runs.
 * @throws StartError if the selected database cannot be used; the next is not tried
 */
export async function openDatabase(
  settings: DatabaseConfig & {
    /** Report every command, so that the cost of a request can be measured; default false. */
    readonly monitored?: boolean;
    /** Use the engine of a service that runs on the data folder, if there is one; default false. */
    readonly beside?: boolean;
  },
  log: Logger,
): Promise<Database> {
  const source = await chooseDatabaseSource(settings);
  if (source.kind !== 'uri') {
    const running = settings.beside ? await joinEngine(settings.dataFolder, settings.name) : undefined;
    return running ?? openLocalEngine(await prepareEngine(source, log), settings, log);
  }
  const { connectToUri, describeUri, openShared } = await import('./connect.js');
  const client = await connectToUri(source.uri, settings.monitored, log);
  return {
    ...(await openShared(client, settings.name)),
    client,
    description: `MongoDB at ${describeUri(source.uri)}, database ${settings.name}`,
    exclusive: false,
    close: () => client.close(),
  };
}

/** Milliseconds that a killed predecessor may take to release the data folder. */
const handover = { timeoutMs: 2000, pause: 100 };

/**
 * Runs an engine on a data folder, in a child process with a Unix socket, and connects to it.
 * @throws StartError with the reason if it does not start
 */
async function openLocalEngine(
  engine: Engine,
  { dataFolder, name, monitored }: { readonly dataFolder: string; readonly name: string; readonly monitored?: boolean },
  log: Logger,
): Promise<Database> {
  const dataPath = claimDataFolder(dataFolder, engine);
  const runtime = makeRuntimeFolder();
  const command = engine.command(dataPath, runtime);
  const starting = supervise(() => startAfterFormer(command), log);
  try {
    // Loading the driver takes as long as the engine takes to start.
    const [stop, { connectToOwn }] = await Promise.all([starting, import('./connect.js')]);
    const client = await connectToOwn(runtime.socket, monitored).catch(async (error: unknown) => {
      await stop();
      throw error;
    });
    const withdraw = announceEngine(dataFolder, runtime.socket);
    return {
      db: client.db(name),
      reads: client.db(name),
      client,
      description: `${engine.name}, data in ${dataPath}`,
      exclusive: true,
      uri: `mongodb://${encodeURIComponent(runtime.socket)}`,
      close: async () => {
        withdraw();
        await client.close();
        await stop();
        runtime.remove();
      },
    };
  } catch (error) {
    runtime.remove();
    if (!(error instanceof ServerFailed)) throw error;
    throw new StartError(`The database does not start: ${explainFailure(error.end, dataFolder)}`);
  }
}

async function startAfterFormer(command: Command): Promise<RunningServer> {
  const deadline = Date.now() + handover.timeoutMs;
  for (;;) {
    try {
      return await startServer(command);
    } catch (error) {
      if (!(error instanceof ServerFailed && isInUse(error.end)) || Date.now() > deadline) throw error;
      await wait(handover.pause);
    }
  }
}

/**
 * A link in the data folder to the socket of the engine that runs on it. Only users with access to the socket's folder
 * can use it.
 */
const linkIn = (dataFolder: string): string => path.join(dataFolder, 'database.sock');

/** Publishes the engine to other processes; returns a function that withdraws it. */
function announceEngine(dataFolder: string, socket: string): () => void {
  const link = linkIn(dataFolder);
  const withdraw = (): void => fs.rmSync(link, { force: true });
  withdraw();
  fs.symlinkSync(socket, link);
  return withdraw;
}

/** The database of a service that runs on the data folder; undefined if none runs. */
async function joinEngine(dataFolder: string, name: string): Promise<Database | undefined> {
  const socket = readLink(linkIn(dataFolder));
  if (socket === undefined || !fs.existsSync(socket)) return undefined;
  const { connectToSocket } = await import('./connect.js');
  // A killed service leaves its socket behind.
  const client = await connectToSocket(socket).catch(() => undefined);
  return (
    client && {
      db: client.db(name),
      reads: client.db(name),
      client,
      description: `the running service's, data in ${dataFolder}`,
      exclusive: false,
      close: () => client.close(),
    }
  );
}

function readLink(link: string): string | undefined {
  try {
    return fs.readlinkSync(link);
  } catch {
    return undefined;
  }
}
