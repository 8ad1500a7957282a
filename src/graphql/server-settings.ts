import type { GraphQLError, GraphQLFormattedError, ValidationRule } from 'graphql';
import { isRecord } from '../config/record.js';
import { readOptions, refuseOthers } from '../content-types/load/read-options.js';
import type { Report } from '../content-types/load/report.js';
import * as shapes from '../content-types/model/settings-schema.js';

/** The supported options of Apollo Server: `config.apolloServer` in the plugins file. */
export interface ServerSettings {
  /** Clients can query the schema; undefined: everywhere but in production. */
  readonly introspection: boolean | undefined;
  /** Adds timings to responses, in `extensions.tracing`. */
  readonly tracing: boolean;
  /** Whether queries by GET require a header that pages of other sites cannot send. Mutations and forms always do. */
  readonly csrfPrevention: boolean;
  /** The project's rules, in addition to those of the specification. */
  readonly validationRules: readonly ValidationRule[];
  /** Has the last word on every error. */
  readonly formatError: FormatError | undefined;
  /** Queries that are sent by their hash; undefined: none are. */
  readonly persistedQueries: PersistedQuerySettings | undefined;
}

export type FormatError = (formatted: GraphQLFormattedError, error: GraphQLError) => GraphQLFormattedError;

export interface PersistedQuerySettings {
  /** Seconds for which a query is cached; undefined: until it is evicted. */
  readonly ttl: number | undefined;
  /** Undefined: in memory. */
  readonly cache: QueryCache | undefined;
}

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

const options = {
  introspection: shapes.boolean,
  tracing: shapes.boolean,
  cache,
  csrfPrevention: shapes.boolean,
  validationRules: functions,
  formatError,
  persistedQueries,
};

/** Reports options that have no effect here. */
export function parseServerSettings(
  config: Readonly<Record<string, unknown>>,
  report: Report,
  refuse = report,
): ServerSettings {
  const path = 'config.apolloServer.';
  refuseOthers(config, Object.keys(options), path, refuse);
  const read = readOptions(config, options, path, report);
  const defaultCache = read.cache === 'bounded' ? undefined : read.cache;
  return {
    introspection: read.introspection,
    tracing: read.tracing ?? false,
    csrfPrevention: read.csrfPrevention ?? false,
    validationRules: read.validationRules ?? [],
    formatError: read.formatError,
    persistedQueries:
      read.persistedQueries === false ? undefined : parsePersisted(read.persistedQueries ?? {}, defaultCache, report),
  };
}

function parsePersisted(
  config: Readonly<Record<string, unknown>>,
  defaultCache: QueryCache | undefined,
  report: Report,
): PersistedQuerySettings {
  const path = 'config.apolloServer.persistedQueries.';
  refuseOthers(config, ['ttl', 'cache'], path, report);
  const ttl = { expected: 'seconds, or null', test: (value: unknown): value is number => Number(value) > 0 };
  const read = readOptions(config, { ttl, cache }, path, report);
  return { ttl: read.ttl, cache: read.cache === 'bounded' ? undefined : (read.cache ?? defaultCache) };
}
