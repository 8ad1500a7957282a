import { createDocuments, type Documents } from '../documents/documents.js';
import { createEntries, type Entries } from '../documents/entries.js';
import { createValidator } from '../documents/input/validate/validate.js';
import { createResponseCache } from '../documents/response/response-cache.js';
import { createPasswords, type Passwords } from '../documents/write/passwords.js';
import type { Database } from '../mongo/connection/database.js';
import { openQueryCosts, type QueryCosts } from '../mongo/observe/query-cost.js';
import type { Store } from '../mongo/store.js';
import { hooksOf } from '../plugins/contract/lifecycles.js';
import type { QueryLimits } from '../query/parse/parse-query.js';
import type { LoadedProject } from './load-project.js';
import { openData } from './open-data.js';
import type { ServiceLog } from './operations/operate.js';

/** The entries of a project in a database, with the rules for reading and writing them. */
export interface Content {
  readonly store: Store;
  readonly documents: Documents;
  readonly entries: Entries;
  readonly passwords: Passwords;
  readonly limits: QueryLimits;
  /** Measures what each request costs, in development; undefined: nothing is measured. */
  readonly costs: QueryCosts | undefined;
  /** How often the database refused to finish an interrupted write since the start. */
  readonly refusedIntents: () => number;
}

/** @throws StartError if the database cannot be used */
export async function openContent(
  { config, plugins, registry, extension, code }: LoadedProject,
  database: Database,
  log: ServiceLog,
): Promise<Content> {
  const costs = config.environment === 'development' ? openQueryCosts(database.client) : undefined;
  const { store, refusedIntents } = await openData(config, database, registry, log, costs);
  const passwords = createPasswords();
  const { defaultLimit, maxLimit, withCount, responseCache } = config.rest;
  const limits = { defaultLimit, maxLimit, withCount, populateLimit: config.limits.populate };
  const lifecycles = hooksOf(extension.lifecycles ?? {}, () => entries);
  const documents = createDocuments(
    { registry, store, validator: createValidator(registry), passwords, relationLimit: config.limits.relations },
    {
      interceptors: plugins.flatMap((plugin) => plugin.interceptors ?? []),
      hooks: [
        ...plugins.flatMap((plugin) => plugin.hooks ?? []),
        lifecycles,
        ...(code === undefined ? [] : [code.project.hooks]),
      ],
      restrictDrafts: config.drafts === 'restricted',
      responseCache: responseCache === undefined ? undefined : createResponseCache(responseCache),
    },
  );
  const entries = createEntries(documents, registry, limits);
  return { store, documents, entries, passwords, limits, costs, refusedIntents };
}
