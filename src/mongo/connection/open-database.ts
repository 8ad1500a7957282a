import type { DatabaseConfig } from '../../config/config.js';
import type { Logger } from '../../errors/logger.js';
import { chooseDatabaseSource } from './database-source.js';
import type { Database } from './database.js';
import { prepareEngine } from './engine.js';
import { openLocalEngine } from './local-engine.js';
import { joinEngine } from './engine-socket.js';

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
