import type { RequestListener } from 'node:http';
import { authenticateWith } from './authenticate.js';
import type { Config } from './config/config.js';
import type { Registry } from './content-types/types.js';
import { createDocuments, type Documents } from './documents/documents.js';
import { createEntries, type Entries } from './documents/entries.js';
import { loadExtension } from './load-extension.js';
import { enabledPlugins, loadRegistry } from './load-registry.js';
import type { Database, Log } from './mongo/database.js';
import { openStore } from './mongo/store.js';
import type { ErrorLog } from './rest/error-response.js';
import { createRestApp } from './rest/router.js';
import { createValidator } from './validation/validate.js';

/** A running service, without a server: what tests and programs that embed it hold. */
export interface Service {
  readonly registry: Registry;
  readonly documents: Documents;
  readonly entries: Entries;
  readonly handler: RequestListener;
  /** Stops its own work and closes the database. */
  close(): Promise<void>;
}

/** Milliseconds between two looks for writes that a process which died has begun. */
const SWEEP = 30_000;

/**
 * Puts the service together: the only place that knows every room.
 * @param opening the database, which may still be starting
 * @throws StartError when definitions are broken or the database cannot be used
 */
export async function createService(config: Config, opening: Promise<Database>, log: Log & ErrorLog): Promise<Service> {
  const plugins = enabledPlugins(config);
  const registry = await loadRegistry(config, plugins);

  const database = await opening;
  const store = openStore(database.db, { timeout: config.limits.queryTime, owned: database.owned });
  for (const index of await store.prepare(registry)) {
    log.error(`The stored data does not allow the index ${index}: going on without it`);
  }
  const interceptors = plugins.flatMap((plugin) => plugin.interceptors ?? []);
  const hooks = plugins.flatMap((plugin) => plugin.hooks ?? []);
  const documents = createDocuments({ registry, store, validator: createValidator(registry) }, { interceptors, hooks });
  const { defaultLimit, maxLimit, withCount } = config.rest;
  const limits = { defaultLimit, maxLimit, withCount, populateLimit: config.limits.populate };
  const entries = createEntries(documents, registry, limits);

  const { secrets, folders } = config;
  for (const plugin of plugins) {
    await plugin.start?.({ registry, documents, entries, limits, secrets, folders, log });
  }
  const extension = await loadExtension(folders.project);
  await extension.bootstrap?.({ registry, documents, entries, log });
  const sweep = setInterval(() => {
    store.sweep(registry).catch((error: unknown) => log.error({ err: error }, 'A sweep failed; the next one goes on'));
  }, SWEEP).unref();

  const handler = createRestApp({
    registry,
    documents,
    limits,
    bodyLimit: config.limits.body,
    authenticate: authenticateWith(plugins),
    routes: plugins.flatMap((plugin) => plugin.routes ?? []),
    log,
  });
  return {
    registry,
    documents,
    entries,
    handler,
    close: async () => {
      clearInterval(sweep);
      for (const plugin of plugins) await plugin.stop?.();
      await database.close();
    },
  };
}
