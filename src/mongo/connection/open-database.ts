import { setTimeout as wait } from 'node:timers/promises';
import type { DatabaseConfig } from '../../config/config.js';
import type { Logger } from '../../errors/logger.js';
import { chooseDatabaseSource, prepareEngine, type Engine } from './database-source.js';
import type { Database } from './database.js';
import { joinEngine, announceEngine } from './engine-socket.js';
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
    readonly dataFolder: string;
    /** Report every command, so that the cost of a request can be measured; default false. */
    readonly monitored?: boolean;
    /** Use the engine of a service that runs on the data folder, if there is one; default false. */
    readonly beside?: boolean;
  },
  log: Logger,
): Promise<Database> {
  const source = chooseDatabaseSource(settings);
  if (source.kind !== 'uri') {
    const running = settings.beside ? await joinEngine(settings.dataFolder, settings.name) : undefined;
    return running ?? openLocalEngine(await prepareEngine(source, log), settings, log);
  }
  const { connectToUri, describeUri, openShared } = await import('./connect.js');
  const client = await connectToUri(source.uri, settings.monitored);
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
