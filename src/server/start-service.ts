import { createService, type Service, type ServiceOptions } from '../app/app.js';
import type { Config } from '../config/config.js';
import type { Logger } from '../errors/logger.js';
import type { Database } from '../mongo/connection/database.js';
import { explainStart } from '../mongo/connection/explain-start.js';

/** Creates a service whose database is closed if the start fails. @throws StartError, and errors of `createService` */
export async function startService(
  config: Config,
  opening: Promise<Database>,
  log: Logger,
  options?: ServiceOptions,
): Promise<Service> {
  return createService(config, opening, log, options).catch(async (error: unknown) => {
    await opening.then(
      (database) => database.close(),
      () => undefined,
    );
    throw explainStart(error);
  });
}
