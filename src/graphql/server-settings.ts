import type { GraphQLError, GraphQLFormattedError, ValidationRule } from 'graphql';
import { isRecord, type Data } from '../config/record.js';
import * as shapes from '../content-types/model/settings-schema.js';
import type { Reading } from '../plugins/contract/read-settings.js';

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
const options = {
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

export function parseServerSettings(config: Data, read: Reading['read']) {
  const path = 'config.apolloServer.';
  const { persistedQueries: persisted = {}, cache: sharedCache, ...chosen } = read(config, options, path);
  const parsePersisted = (input: Data) => {
    const { ttl, cache: own = sharedCache } = read(input, persistedOptions, `${path}persistedQueries.`);
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
