import { createDocuments } from '../documents/documents.js';
import { createEntries, type Entries } from '../documents/entries.js';
import { type DocumentHooks, withoutLateErrors } from '../documents/hooks.js';
import { createValidator } from '../documents/input/validate/validate.js';
import {
  createResponseCache,
  noResponseCache,
  type ResponseCache,
  type TagsOf,
} from '../documents/response/response-cache.js';
import { createPasswords } from '../documents/write/passwords.js';
import type { Config } from '../config/config.js';
import { describeSource } from '../config/describe-source.js';
import type { Logger } from '../errors/logger.js';
import { StartError } from '../errors/start-error.js';
import { countLostConnections, type Database, readsPrimary } from '../mongo/connection/database.js';
import { openQueryCosts } from '../mongo/observe/query-cost.js';
import { type Store, type StoreOptions, openStore } from '../mongo/store.js';
import type { BuiltInPlugin } from '../plugins/contract/built-in.js';
import { hooksOf } from '../plugins/contract/extension.js';
import type { Change } from '../query/change.js';
import type { QueryLimits } from '../query/parse/parse-query.js';
import type { LoadedProject } from './load-project.js';
import { openCaches } from './caches/open-caches.js';
import type { Door, Signature } from '../query/receipt.js';
import { receiptsFor } from './tell-of-writes.js';
import { tellPlugins } from './tell-plugins.js';
import type { Registry } from '../content-types/model/types.js';
import { claimDefinitions } from './migrate/claim-definitions.js';
import { claimDataFormat } from '../mongo/maintenance/data-format.js';
import { describeRules } from '../mongo/stored/dialect.js';
import { adviseSlowReads } from '../mongo/observe/advise-slow-reads.js';

/**
 * The entries of a project in a database, with the rules for reading and writing them.
 * @throws StartError if the database cannot be used
 */
export async function openContent(
  { config, plugins, registry, extension, code }: LoadedProject,
  database: Database,
  log: Logger,
  started: readonly BuiltInPlugin[],
  door: Door,
  asking?: () => Signature | undefined,
) {
  const costs = config.environment === 'development' ? openQueryCosts(database.client) : undefined;
  const tagging = await openCaches(config, database, registry, plugins);
  const responseCache = openResponseCache(config, database, tagging?.ofResponse) ?? (tagging && noResponseCache);
  /** What the transactions changed that a crash had interrupted: plugins hear of it when they have started. */
  const recovered: Change[] = [];
  let isPrepared = false;
  const store = await openData(config, database, registry, log, {
    receipts: receiptsFor(plugins, config.secrets, door, asking),
    costs,
    common: tagging?.common,
    onChanges: async (changes) => {
      if (!isPrepared) recovered.push(...changes);
      await Promise.all([tagging?.onChanges?.(changes), tellPlugins(started, changes, registry, log)]);
    },
  });
  isPrepared = true;
  const passwords = createPasswords(config.passwordRounds);
  const { defaultLimit, maxLimit, withCount } = config.rest;
  const { populate: populateLimit, deepLevels } = config.limits;
  const limits: QueryLimits = { defaultLimit, maxLimit, withCount, populateLimit, deepLevels };
  const harmless = <Hooks extends DocumentHooks>(hooks: Hooks, owner: string): Hooks =>
    withoutLateErrors(hooks, (error) => log.error({ err: error }, `After a write, which is stored, ${owner} failed`));
  const lifecycles = hooksOf(extension.lifecycles ?? {}, (): Entries => entries);
  const documents = createDocuments(
    {
      registry,
      store,
      validator: createValidator(registry),
      passwords,
      dataBounds: {
        components: config.limits.components,
        relatedEntries: config.limits.relations,
        jsonValues: config.limits.jsonValues,
      },
    },
    {
      quickRead: config.limits.quickRead,
      interceptors: plugins.flatMap(({ parameters = [], interceptors = [] }) => [
        ...parameters.flatMap(({ apply }) => apply ?? []),
        ...interceptors,
      ]),
      hooks: plugins.flatMap(({ name, hooks }) => (hooks === undefined ? [] : harmless(hooks, `the plugin ${name}`))),
      projectHooks: [
        harmless(lifecycles, 'a lifecycle of the project'),
        ...(code === undefined ? [] : [code.project.strapi.db.lifecycles.hooks]),
      ],
      ...(code !== undefined && { listeners: code.project.strapi.eventHub }),
      publicationEvents: config.events.publication,
      callerOf: async (account) => {
        for (const plugin of plugins) {
          const caller = await plugin.callerOf?.(account);
          if (caller !== undefined) return caller;
        }
        return undefined;
      },
      restrictDrafts: config.drafts === 'restricted',
      responseCache,
      cacheTags: tagging?.ofResponse,
    },
  );
  const entries: Entries = createEntries(documents, registry, limits);
  return {
    store,
    documents,
    entries,
    passwords,
    limits,
    costs,
    purges: tagging?.purges,
    tagHeaders: tagging?.headers,
    /** Tells plugins that have started what recovery changed before. */
    tellRecovered: (): Promise<void> => tellPlugins(started, recovered.splice(0), registry, log),
  };
}

export type Content = Awaited<ReturnType<typeof openContent>>;

/** Bytes of the response cache if nothing else is set. */
const RESPONSE_CACHE = 2 ** 25;

/** @throws StartError if a cache is requested, and reads may come from a server that is behind */
function openResponseCache({ rest }: Config, { reads }: Database, tagsOf?: TagsOf): ResponseCache | undefined {
  const { responseCache } = rest;
  // Otherwise a new version could be read before old entries.
  const isPossible = readsPrimary(reads);
  if (responseCache !== undefined && responseCache > 0 && !isPossible) {
    throw new StartError('RESPONSE_CACHE requires reads from the primary: remove readPreference from MONGODB_URI');
  }
  const bytes = responseCache ?? (isPossible ? RESPONSE_CACHE : 0);
  return bytes === 0 ? undefined : createResponseCache(bytes, tagsOf);
}

/**
 * Upgrades the stored data if it has an older format, refuses definitions that would show or hide entries without a
 * decision, opens the store, creates its indexes and ends interrupted transactions. Logs slow lists that an index would
 * serve.
 */
async function openData(
  config: Config,
  database: Database,
  registry: Registry,
  log: Logger,
  { costs, common, onChanges, receipts }: Pick<StoreOptions, 'costs' | 'common' | 'onChanges' | 'receipts'>,
): Promise<Store> {
  const { dialect, limits, events } = config;
  await claimDataFormat(database.db);
  await claimDefinitions(config, database, registry, log);
  const opened = openStore(database.db, {
    timeout: limits.queryTime,
    patience: limits.lockWait,
    reads: database.reads,
    exclusive: database.exclusive,
    responseLimit: limits.response,
    recordBefore: events.record,
    common,
    onChanges,
    receipts,
    report: (error) => log.error({ err: error }, 'What plugins keep of writes waits in the database: it is told again'),
    costs,
    lostConnections: countLostConnections(database.client),
  });
  const store = adviseSlowReads(opened, config.log.slowQuery, (message) => log.warn(message));
  await prepareData(store, registry, log);
  const rules = `Values have the rules of ${describeRules(registry.dialect, describeSource(dialect))}`;
  if (dialect.unsetVariable !== undefined) log.warn(rules);
  else if (dialect.source !== 'default') log.info(rules);
  return store;
}

/** Milliseconds between two log lines about a service that is not ready yet. */
const RETRY_INTERVAL_MS = 5000;

/** Prepares the stored data for the content types; logs slow index builds, and indexes that the data violates. */
export async function prepareData(
  { prepare }: Pick<Store, 'prepare'>,
  registry: Registry,
  log: Pick<Logger, 'info' | 'error'>,
  pause = RETRY_INTERVAL_MS,
): Promise<void> {
  const start = performance.now();
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - start) / 1000);
    log.info(`Building indexes for the content types, ${seconds} s so far`);
  }, pause);
  try {
    for (const index of await prepare(registry)) {
      log.error(`Continuing without an index that the stored data violates: ${index}`);
    }
  } finally {
    clearInterval(timer);
  }
}
