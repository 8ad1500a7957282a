import type { GraphQLError, GraphQLFormattedError, ValidationRule } from 'graphql';
import { isRecord, type Data } from '../config/record.js';
import * as shapes from '../content-types/model/settings-schema.js';
import type { Tolerate } from '../plugins/contract/plugin.js';
import { readSettings, type Reading } from '../plugins/contract/read-settings.js';

const integerOrNone = {
  expected: 'a positive integer, or -1 for no separate limit',
  test: (value: unknown): value is number => shapes.positive.test(value) || value === -1,
};
const path = {
  expected: 'a path that begins with / and is not below /api',
  test: (value: unknown): value is string =>
    typeof value === 'string' && /^\/[\w/-]*[\w-]$/.test(value) && !/^\/api(\/|$)/.test(value),
};

const file = {
  expected: 'the path of a file, or false',
  test: (value: unknown): value is string | false => value === false || (typeof value === 'string' && value !== ''),
};

/** `config` of this plugin in the plugins file. */
const options = {
  /** Where it is served. */
  endpoint: path,
  /** Content types get types, queries and mutations of their own. */
  shadowCRUD: shapes.boolean,
  /** Relations of components need no permission on their target. */
  openComponentRelations: shapes.boolean,
  zoneFilters: shapes.boolean,
  requestOptions: shapes.boolean,
  /** The project's types have fields for groups of entries, in every form of the schema. */
  aggregation: shapes.boolean,
  /** Only `false` is supported. */
  subscriptions: shapes.boolean,
  /** The Playground is shown in production too. */
  playgroundAlways: shapes.boolean,
  /** Strapi 5's name for it; `false`: it is not shown in development either. */
  landingPage: shapes.boolean,
  generateArtifacts: shapes.boolean,
  artifacts: shapes.record,
  apolloServer: shapes.record,
  /** The maximum number of entries in one list, even if the query requests more. */
  amountLimit: shapes.positive,
  /** Entries in one list, if a query sets no limit. */
  defaultLimit: shapes.positive,
  maxLimit: integerOrNone,
  depthLimit: shapes.positive,
  aliasLimit: shapes.positive,
  tokenLimit: shapes.positive,
  costLimit: shapes.positive,
  variableLimit: shapes.positive,
  rootLimit: shapes.positive,
  batchLimit: shapes.positive,
};
/** Files that are written at every start, relative to the project folder. */
const artifactOptions = { schema: file, typegen: file };

/** The deepest queries of known front ends need 20; a cycle of 15 relations needs 45. */
const DEPTH = 30;
/** As in Strapi v4. */
const PAGE = 10;
/** Entries in a list of projects that set no limit. */
const AMOUNT = 100;

/** What is offered, and the limits of a request. */
const guarding = [
  'endpoint',
  'shadowCRUD',
  'openComponentRelations',
  'playgroundAlways',
  'apolloServer',
  'amountLimit',
  'maxLimit',
  'depthLimit',
  'aliasLimit',
  'tokenLimit',
  'costLimit',
  'variableLimit',
  'rootLimit',
  'batchLimit',
];

export type Settings = ReturnType<typeof parseSettings>;

/**
 * @param tolerate receives a line for each setting that has no effect, see `PluginFactory`
 * @throws StartError with a line for each error
 */
export function parseSettings(config: Data, tolerate?: Tolerate) {
  return readSettings(
    'graphql',
    tolerate,
    ({ read, refuse }) => {
      const chosen = read(config, options);
      if (chosen.subscriptions === true) {
        refuse('config.subscriptions', 'true has no effect: EVENTS=true offers subscriptions to changes');
      }
      const { maxLimit = -1, artifacts = {}, generateArtifacts = true } = chosen;
      const amountLimit = chosen.amountLimit ?? Math.max(AMOUNT, maxLimit, chosen.defaultLimit ?? 0);
      const highestLimit = maxLimit === -1 ? amountLimit : Math.min(amountLimit, maxLimit);
      const written = Object.entries(artifacts).filter(([name, value]) => {
        const isIgnored = tolerate !== undefined && value === true;
        if (isIgnored) refuse(`config.artifacts.${name}`, 'true has no effect; name a file');
        return !isIgnored;
      });
      const { schema, typegen } = read(Object.fromEntries(written), artifactOptions, 'config.artifacts.');
      return {
        endpoint: chosen.endpoint ?? '/graphql',
        shadowCRUD: chosen.shadowCRUD ?? true,
        /** Undefined: in development only. */
        playground: chosen.landingPage ?? (chosen.playgroundAlways === true ? true : undefined),
        openComponentRelations: chosen.openComponentRelations ?? false,
        additions: {
          zoneFilters: chosen.zoneFilters ?? false,
          requestOptions: chosen.requestOptions ?? false,
          aggregation: chosen.aggregation ?? false,
        },
        entries: { defaultLimit: Math.min(chosen.defaultLimit ?? PAGE, highestLimit), maxLimit: highestLimit },
        /** The limits of one request, for all of its operations together. */
        limits: {
          /** Fields within fields; the outermost is at depth 0. */
          depth: chosen.depthLimit ?? DEPTH,
          /** Aliased fields. */
          aliases: chosen.aliasLimit ?? 200,
          /** Lexical tokens. */
          tokens: chosen.tokenLimit ?? 10_000,
          /** Fields, with fragments expanded. */
          cost: chosen.costLimit ?? 5000,
          /** Names and elements of lists in variables, without the data of writes. */
          variables: chosen.variableLimit ?? 10_000,
          /** Queries and mutations, counted as often as they occur. */
          roots: chosen.rootLimit ?? 50,
          /** Operations in one request. */
          batch: chosen.batchLimit ?? 10,
        },
        artifacts: {
          schema: (generateArtifacts && schema) || undefined,
          typegen: (generateArtifacts && typegen) || undefined,
        },
        server: parseServerSettings(chosen.apolloServer ?? {}, read),
      };
    },
    guarding,
  );
}

export type Limits = Settings['limits'];

export type FormatError = (formatted: GraphQLFormattedError, error: GraphQLError) => GraphQLFormattedError;

/** A cache of persisted queries that the project provides, e.g. for several processes: Apollo's `KeyValueCache`. */
export interface QueryCache {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string, options?: { readonly ttl?: number | null }): Promise<unknown>;
}

const isCache = (value: unknown): value is QueryCache =>
  isRecord(value) && typeof value['get'] === 'function' && typeof value['set'] === 'function';
const cache = {
  expected: '"bounded" or an object with get and set',
  test: (value: unknown): value is QueryCache | 'bounded' => value === 'bounded' || isCache(value),
};
const functions = {
  expected: 'a list of functions',
  test: (value: unknown): value is readonly ValidationRule[] =>
    Array.isArray(value) && value.every((rule) => typeof rule === 'function'),
};
const formatError = {
  expected: 'a function',
  test: (value: unknown): value is FormatError => typeof value === 'function',
};
const persistedQueries = {
  expected: 'false or an object',
  test: (value: unknown): value is false | Readonly<Record<string, unknown>> => value === false || isRecord(value),
};

/** The supported options of Apollo Server: `config.apolloServer` in the plugins file. */
const serverOptions = {
  /** Clients can query the schema; undefined: everywhere but in production. */
  introspection: shapes.boolean,
  /** Adds timings to responses, in `extensions.tracing`. */
  tracing: shapes.boolean,
  /** Of persisted queries, unless they have their own. */
  cache,
  /** Whether queries by GET require a header that pages of other sites cannot send. Mutations and forms always do. */
  csrfPrevention: shapes.boolean,
  /** The project's rules, in addition to those of the specification. */
  validationRules: functions,
  /** Has the last word on every error. */
  formatError,
  persistedQueries,
};
const persistedOptions = {
  /** Seconds for which a query is cached; undefined: until it is evicted. */
  ttl: { expected: 'seconds, or null', test: (value: unknown): value is number => Number(value) > 0 },
  cache,
};

export type ServerSettings = ReturnType<typeof parseServerSettings>;

function parseServerSettings(config: Data, read: Reading['read']) {
  const serverPath = 'config.apolloServer.';
  const { persistedQueries: persisted = {}, cache: sharedCache, ...chosen } = read(config, serverOptions, serverPath);
  const parsePersisted = (input: Data) => {
    const { ttl, cache: own = sharedCache } = read(input, persistedOptions, `${serverPath}persistedQueries.`);
    /** Undefined: in memory. */
    return { ttl, cache: own === 'bounded' ? undefined : own };
  };
  return {
    introspection: chosen.introspection,
    tracing: chosen.tracing ?? false,
    csrfPrevention: chosen.csrfPrevention ?? false,
    validationRules: chosen.validationRules ?? [],
    formatError: chosen.formatError,
    /** Queries that are sent by their hash; undefined: none are. */
    persistedQueries: persisted === false ? undefined : parsePersisted(persisted),
  };
}

export type PersistedQuerySettings = NonNullable<ServerSettings['persistedQueries']>;
