import { readOptions, refuseOthers } from '../content-types/load/read-options.js';
import { reportTo, type Report } from '../content-types/load/report.js';
import type { Tolerate } from '../plugins/contract/plugin.js';
import * as shapes from '../content-types/model/settings-schema.js';
import { StartError } from '../errors/start-error.js';
import type { Additions } from './schema/rules.js';
import { parseServerSettings, type ServerSettings } from './server-settings.js';

/** The settings: `config` of this plugin in the plugins file. */
export interface Settings {
  /** Where it is served, e.g. `/graphql`. */
  readonly endpoint: string;
  /** Content types get types, queries and mutations of their own. */
  readonly shadowCRUD: boolean;
  /** The Playground is shown in production too. */
  readonly playgroundAlways: boolean;
  readonly entries: EntryLimits;
  /** Relations of components need no permission on their target. */
  readonly openComponentRelations: boolean;
  readonly additions: Additions;
  readonly limits: Limits;
  /** Files that are written at every start, relative to the project folder. */
  readonly artifacts: { readonly schema: string | undefined; readonly typegen: string | undefined };
  readonly server: ServerSettings;
}

/** Entries in one list of an answer. */
export interface EntryLimits {
  /** If a query sets no limit. */
  readonly defaultLimit: number;
  /** The maximum number of entries, even if the query requests more. */
  readonly maxLimit: number;
}

/** The limits of one request, for all of its operations together. */
export interface Limits {
  /** Fields within fields; the outermost is at depth 0. */
  readonly depth: number;
  /** Aliased fields. */
  readonly aliases: number;
  /** Lexical tokens. */
  readonly tokens: number;
  /** Fields, with fragments expanded. */
  readonly cost: number;
  /** Queries and mutations, counted as often as they occur. */
  readonly roots: number;
  /** Operations in one request. */
  readonly batch: number;
}

const positive = {
  expected: 'a positive integer',
  test: (value: unknown): value is number => shapes.integer.test(value) && value >= 1,
};
const integerOrNone = {
  expected: 'a positive integer, or -1 for no separate limit',
  test: (value: unknown): value is number => shapes.integer.test(value) && (value >= 1 || value === -1),
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

const options = {
  endpoint: path,
  shadowCRUD: shapes.boolean,
  openComponentRelations: shapes.boolean,
  zoneFilters: shapes.boolean,
  requestOptions: shapes.boolean,
  subscriptions: shapes.boolean,
  playgroundAlways: shapes.boolean,
  generateArtifacts: shapes.boolean,
  artifacts: shapes.record,
  apolloServer: shapes.record,
  amountLimit: positive,
  defaultLimit: positive,
  maxLimit: integerOrNone,
  depthLimit: positive,
  aliasLimit: positive,
  tokenLimit: positive,
  costLimit: positive,
  rootLimit: positive,
  batchLimit: positive,
};

/** The deepest queries of known front ends need 20; a cycle of 15 relations needs 45. */
const DEPTH = 30;
/** As in Strapi v4. */
const PAGE = 10;

/**
 * @param tolerate receives a line for each setting that has no effect, see `PluginFactory`
 * @throws StartError with a line for each error
 */
export function parseSettings(config: Readonly<Record<string, unknown>>, tolerate?: Tolerate): Settings {
  const mistakes: string[] = [];
  const report = reportTo(mistakes, 'Plugin graphql');
  const refuse: Report = tolerate ? (path, rule) => tolerate(`Plugin graphql: ${path} ${rule}`) : report;
  refuseOthers(config, Object.keys(options), 'config.', refuse);
  const read = readOptions(config, options, 'config.', report);
  if (read.subscriptions === true) {
    refuse('config.subscriptions', 'true is not supported: there are queries and mutations, but no subscriptions');
  }
  const { amountLimit = 100, maxLimit = -1, artifacts = {}, generateArtifacts = true } = read;
  const highestLimit = maxLimit === -1 ? amountLimit : Math.min(amountLimit, maxLimit);
  refuseOthers(artifacts, ['schema', 'typegen'], 'config.artifacts.', refuse);
  const written = Object.entries(artifacts).filter(([name, value]) => {
    const isIgnored = tolerate !== undefined && value === true;
    if (isIgnored) refuse(`config.artifacts.${name}`, 'true has no effect; name a file');
    return !isIgnored;
  });
  const files = readOptions(Object.fromEntries(written), { schema: file, typegen: file }, 'config.artifacts.', report);
  const settings: Settings = {
    endpoint: read.endpoint ?? '/graphql',
    shadowCRUD: read.shadowCRUD ?? true,
    playgroundAlways: read.playgroundAlways ?? false,
    openComponentRelations: read.openComponentRelations ?? false,
    additions: { zoneFilters: read.zoneFilters ?? false, requestOptions: read.requestOptions ?? false },
    entries: { defaultLimit: Math.min(read.defaultLimit ?? PAGE, highestLimit), maxLimit: highestLimit },
    limits: {
      depth: read.depthLimit ?? DEPTH,
      aliases: read.aliasLimit ?? 200,
      tokens: read.tokenLimit ?? 10_000,
      cost: read.costLimit ?? 5000,
      roots: read.rootLimit ?? 50,
      batch: read.batchLimit ?? 10,
    },
    artifacts: {
      schema: (generateArtifacts && files.schema) || undefined,
      typegen: (generateArtifacts && files.typegen) || undefined,
    },
    server: parseServerSettings(read.apolloServer ?? {}, report, refuse),
  };
  if (mistakes.length > 0) throw new StartError(mistakes.join('\n'));
  return settings;
}
