import { createRequire } from 'node:module';
import path from 'node:path';
import { AppError } from '../../errors/app-error.js';
import { Writable, type Readable, type WritableOptions } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import lodash from 'lodash';
import { createEnv } from '../../config/project/env.js';
import type { ContentType } from '../../content-types/model/types.js';
import { absentMembers } from '../absent-members.js';
import { convertParams, convertQuery } from '../entity-service/convert-params.js';
import type { Anything, Model, Named, Runtime, Strapi, StrapiConfig } from '../strapi.js';
import { errors } from './errors.js';
import { createContentTypes, relations, setCreatorFields } from './content-types.js';
import { hooks, providerFactory, pagination } from './hooks.js';
import { parseType } from './parse-type.js';
import { createPolicyUtilities } from './policy.js';
import { createSanitizing } from './sanitize/create-sanitizing.js';
import { stringUtilities } from './strings.js';
import { createYupUtilities } from './yup.js';
import { readableSize } from '../../plugins/upload/forms/readable-size.js';
import { webhookEvents } from '../../plugins/webhooks/webhook.js';
import { operators, type OperatorRule } from '../../query/operators.js';

/**
 * The package `@strapi/utils` for project code.
 * @param strapi the application with the content types
 * @param runtime the running service
 */
export function createUtils(
  strapi: Strapi,
  variables: Readonly<Record<string, string | undefined>>,
  runtime: (wants: string) => Runtime,
  ids?: ReadonlySet<string>,
): Named {
  const attributesOf = (model: Model | undefined): ContentType['attributes'] =>
    (model && runtime('convertQueryParams').registry.contentTypes.get(model.uid)?.attributes) ?? new Map();
  const convert = {
    convertSortQueryParams: (sort: unknown) => convertQuery({ sort }, new Map())['orderBy'] as unknown,
    convertStartQueryParams: (start: unknown) => convertQuery({ start }, new Map())['offset'] as unknown,
    convertLimitQueryParams: (limit: unknown) => convertQuery({ limit }, new Map())['limit'] as unknown,
    convertFieldsQueryParams: (fields: unknown) => convertQuery({ fields }, new Map())['select'] as unknown,
    convertFiltersQueryParams: (filters: unknown, model?: Model) =>
      convertQuery({ filters }, attributesOf(model))['where'] as unknown,
    convertPopulateQueryParams: (populate: unknown, model?: Model) =>
      convertQuery({ populate }, attributesOf(model))['populate'] as unknown,
    /** Adds the filter of a publication state to a query. */
    convertPublicationStateParams: (model?: Model, { publicationState }: Named = {}, query: Named = {}): void => {
      if (model !== undefined) Object.assign(query, convertQuery({ publicationState }, new Map()));
    },
    transformParamsToQuery: (uid: string, params: Named) => {
      const type = runtime('convertQueryParams').registry.contentTypes.get(uid);
      if (type === undefined) throw new Error(`unknown content type "${uid}"`);
      return convertParams(params, type);
    },
  };
  const utilities = {
    ...stringUtilities,
    ...asyncUtilities,
    ...urlUtilities,
    errors,
    env: createEnv(variables),
    ...createSanitizing(strapi, runtime, ids),
    parseMultipartData,
    parseType,
    contentTypes: createContentTypes(ids),
    relations,
    setCreatorFields,
    hooks,
    providerFactory,
    pagination,
    policy: createPolicyUtilities(strapi),
    convertQueryParams: convert,
    file,
    importDefault: (name: string): unknown => {
      const folder = (strapi['dirs'] as { readonly app: { readonly root: string } }).app.root;
      const module: Anything = createRequire(path.join(folder, 'package.json'))(name);
      return module?.__esModule === true ? module.default : module;
    },
    isOperator: isStrapiOperator,
    isOperatorOfType,
    webhook: { webhookEvents: lodash.keyBy(webhookEvents, (event) => lodash.snakeCase(event).toUpperCase()) },
  };
  for (const name of absentMembers['@strapi/utils'].split(' ')) lodash.set(utilities, name, unavailable(name));
  // Assigned with its getter: yup is loaded on first use.
  return Object.defineProperties(utilities, Object.getOwnPropertyDescriptors(createYupUtilities()));
}

const unavailable = (name: string) => (): never => {
  throw new Error(`@strapi/utils.${name} is not supported`);
};

/**
 * The `data` of a form, and its files by path.
 * @throws AppError badRequest if the request is not a form, or has no data
 */
function parseMultipartData(context: Named): { readonly data: unknown; readonly files: Named } {
  if (!context['is']('multipart')) return { data: context['request'].body, files: {} };
  const { body = {}, files = {} } = context['request'] as Named;
  if (body.data === undefined) {
    throw new AppError(
      'badRequest',
      "When using multipart/form-data you need to provide your data in a JSON 'data' field.",
    );
  }
  const named = Object.entries(files as Named).map(([name, file]) => {
    if (name.startsWith('files.')) return [name.slice('files.'.length), file as unknown] as const;
    throw new AppError(
      'badRequest',
      `When using multipart/form-data you need to provide your files by prefixing them with the 'files'.
For example, when a media file is named "avatar", make sure the form key name is "files.avatar"`,
    );
  });
  try {
    return { data: JSON.parse(String(body.data)), files: Object.fromEntries(named) };
  } catch {
    throw new AppError('badRequest', `Invalid 'data' field. 'data' should be a valid JSON.`);
  }
}

async function getStreamSize(stream: Readable): Promise<number> {
  let size = 0;
  for await (const chunk of stream) size += Buffer.byteLength(chunk as string | Buffer);
  return size;
}

/** `file` of `@strapi/utils`: for providers of uploads. */
const file = {
  kbytesToBytes: (kilobytes: number): number => kilobytes * 1000,
  bytesToKbytes: (bytes: number): number => Math.round((bytes / 1000) * 100) / 100,
  bytesToHumanReadable: readableSize,
  streamToBuffer: (stream: Readable): Promise<Buffer> => buffer(stream),
  getStreamSize,
  writableDiscardStream: (options?: WritableOptions): Writable =>
    new Writable({ ...options, write: (_chunk, _encoding, done) => void setImmediate(done) }),
};

const namesWhere = (holds: (rule: OperatorRule) => boolean): string[] =>
  Object.entries(operators).flatMap(([name, rule]) => (holds(rule) ? [name] : []));

/** The operators by Strapi v4's types. */
const byType: Readonly<Record<string, readonly string[]>> = {
  where: ['$not', ...Object.keys(operators), '$jsonSupersetOf'],
  cast: ['$not', ...namesWhere(({ text, operands }) => !text && operands !== 'flag')],
  group: ['$and', '$or'],
  array: namesWhere(({ operands }) => operands === 'many' || operands === 'pair'),
};

const lower = (name: string): string => name.toLowerCase();

/** Whether it is an operator of this type: `where`, `cast`, `group` or `array`. */
function isOperatorOfType(type: string, key: string, ignoreCase = false): boolean {
  const names = (Object.hasOwn(byType, type) ? byType[type] : undefined) ?? [];
  return ignoreCase ? names.some((name) => lower(name) === lower(key)) : names.includes(key);
}

const isStrapiOperator = (key: string, ignoreCase = false): boolean =>
  Object.keys(byType).some((type) => isOperatorOfType(type, key, ignoreCase));

const isAbsolute = (url: string): boolean => url.startsWith('http');
const trimmed = (url: unknown): string => lodash.trim(String(url ?? ''), '/ ');

/** `getConfigUrls` of `@strapi/utils`. @throws Error for a URL that cannot be parsed */
function getConfigUrls(config: StrapiConfig) {
  const server = trimmed(config.get('server.url', ''));
  const serverUrl = isAbsolute(server) ? trimmed(new URL(server)) : server === '' ? '' : `/${server}`;
  const admin = trimmed(config.get('admin.url', '/admin'));
  const adminUrl = isAbsolute(admin) ? trimmed(new URL(admin)) : `${serverUrl}/${admin}`;
  const adminPath = isAbsolute(adminUrl) ? new URL(adminUrl).pathname : adminUrl;
  return { serverUrl, adminUrl, adminPath };
}

function absolute(url: string, config: StrapiConfig): string {
  if (isAbsolute(url)) return url;
  const host = String(config.get('server.host'));
  const isLocal = config.get('environment') === 'development' && ['127.0.0.1', '0.0.0.0'].includes(host);
  return `http://${isLocal ? 'localhost' : host}:${config.get('server.port')}${url}`;
}

/** The functions of `@strapi/utils` for URLs. */
const urlUtilities = {
  getConfigUrls,
  getAbsoluteAdminUrl: (config: StrapiConfig): string => absolute(getConfigUrls(config).adminUrl, config),
  getAbsoluteServerUrl: (config: StrapiConfig): string => absolute(getConfigUrls(config).serverUrl, config),
};

type List = readonly unknown[];
type Mapper = (item: Anything, index: number) => unknown;
interface Concurrency {
  readonly concurrency?: number;
}

/**
 * Maps a list, at most `concurrency` items at a time; the results are in the order of the list. As in Strapi v4, no
 * item is begun after one has failed.
 */
async function mapConcurrently(
  list: List,
  map: Mapper,
  { concurrency = Infinity }: Concurrency = {},
): Promise<unknown[]> {
  const results: unknown[] = [];
  const entries = list.entries();
  let hasFailed = false;
  const work = async (): Promise<void> => {
    for (const [index, item] of entries) {
      if (hasFailed) return;
      try {
        results[index] = await map(await item, index);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, list.length) }, work));
  return results;
}

/** The functions of `@strapi/utils` that run other functions and wait for them. */
const asyncUtilities = {
  pipeAsync:
    (...steps: readonly ((...args: Anything[]) => unknown)[]) =>
    async (...args: Anything[]): Promise<unknown> => {
      const [first, ...others] = steps;
      let result = await first?.(...args);
      for (const step of others) result = await step(result);
      return result;
    },
  /** Curried, as in Strapi v4. */
  mapAsync: lodash.curry(mapConcurrently, 2),
  reduceAsync:
    (list: List) => async (reduce: (result: Anything, item: Anything, index: number) => unknown, initial?: unknown) => {
      let result = initial;
      for (const [index, item] of list.entries()) result = await reduce(result, await item, index);
      return result;
    },
  forEachAsync: async (list: List, work: Mapper, options?: Concurrency): Promise<void> => {
    await mapConcurrently(list, work, options);
  },
};
