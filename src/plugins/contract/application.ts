import type { Data } from '../../config/record.js';
import type { Registry } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import type { Entries, Entry } from '../../documents/entries.js';
import { ifNotFound } from '../../errors/app-error.js';
import type { Logger } from '../../errors/logger.js';
import type { QueryInput } from '../../query/parse/input.js';
import { strictProxy } from './strict-proxy.js';

/**
 * Services of plugins for project code, by plugin and name. Plugins declare theirs here, so that
 * `strapi.plugin('graphql').service('extension')` has its type.
 */
export interface PluginServices {
  readonly [plugin: string]: Readonly<Record<string, object>>;
}

/** The supported part of Strapi v4's application object, with all permissions. Any other member throws. */
export interface Application {
  plugin<P extends keyof PluginServices>(name: P): PluginHandle<PluginServices[P]>;
  /** The service of a content type, e.g. `api::article.article`, or of a plugin, e.g. `plugin::graphql.format`. */
  service(uid: `plugin::${string}`): object;
  service(uid: string): ContentTypeService;
  readonly entityService: EntityService;
  readonly config: {
    /** E.g. `environment`, `server.port`, `api.rest.maxLimit`, `plugin.graphql.endpoint`. */
    get(path: string, fallback?: unknown): unknown;
  };
  readonly log: Logger;
}

export interface PluginHandle<S> {
  service<N extends keyof S>(name: N): S[N];
}

/**
 * Among the parameters of the entity service: the client for whom the core calls it, from whom some drafts are hidden.
 */
export const CLIENT: unique symbol = Symbol('client');

type Params = QueryInput & { readonly [CLIENT]?: Caller | undefined };
type WriteParams = Params & { readonly data: Data };

/**
 * Strapi v4's entity service over the documents service. Drafts are entries too, unless `publicationState` says `live`,
 * or they are hidden from the client.
 */
export interface EntityService {
  findMany(uid: string, params?: Params): Promise<readonly Entry[]>;
  findPage(uid: string, params?: Params): Promise<EntryPage>;
  /** Null if there is none. */
  findOne(uid: string, id: number | string, params?: Params): Promise<Entry | null>;
  count(uid: string, params?: Params): Promise<number>;
  create(uid: string, params: WriteParams): Promise<Entry>;
  /** Null if there is none. */
  update(uid: string, id: number | string, params: WriteParams): Promise<Entry | null>;
  /** Returns the entry as it was, or null. */
  delete(uid: string, id: number | string, params?: Params): Promise<Entry | null>;
}

export interface EntryPage {
  readonly results: readonly Entry[];
  readonly pagination: {
    readonly page: number;
    readonly pageSize: number;
    readonly pageCount: number;
    readonly total: number;
  };
}

/** The service of one content type. Lists contain published entries unless `publicationState` is set. */
export interface ContentTypeService {
  find(params?: QueryInput): Promise<EntryPage>;
  findOne(id: number | string, params?: QueryInput): Promise<Entry | null>;
  create(params: WriteParams): Promise<Entry>;
  update(id: number | string, params: WriteParams): Promise<Entry | null>;
  delete(id: number | string, params?: QueryInput): Promise<Entry | null>;
}

export interface ApplicationParts {
  readonly registry: Pick<Registry, 'contentTypes'>;
  readonly entries: Entries;
  /** By plugin and name. */
  readonly services: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly config: Data;
  readonly log: Logger;
}

export function createApplication({ registry, entries, services, config, log }: ApplicationParts): Application {
  const entityService = createEntityService(entries);
  const pluginService = (plugin: string, name: string): object => {
    const service = ownValue(ownValue(services, plugin), name);
    if (typeof service !== 'object' || service === null) throw new Error(`The plugin ${plugin} has no service ${name}`);
    return service;
  };
  const typeService = (uid: string): ContentTypeService => {
    if (!registry.contentTypes.has(uid)) throw new Error(`strapi.service('${uid}'): unknown content type`);
    return strictProxy(`strapi.service('${uid}')`, {
      find: async (params) => entityService.findPage(uid, { publicationState: 'live', ...params }),
      findOne: async (id, params) => entityService.findOne(uid, id, params),
      create: async (params) => entityService.create(uid, params),
      update: async (id, params) => entityService.update(uid, id, params),
      delete: async (id, params) => entityService.delete(uid, id, params),
    });
  };
  const service = (uid: string): object => {
    const [, plugin, name] = /^plugin::([\w-]+)\.([\w-]+)$/.exec(uid) ?? [];
    if (plugin !== undefined && name !== undefined && !registry.contentTypes.has(uid))
      return pluginService(plugin, name);
    return typeService(uid);
  };
  const application: Application = {
    plugin: (plugin) =>
      ({ service: (name: string) => pluginService(String(plugin), name) }) as unknown as PluginHandle<never>,
    service: service as Application['service'],
    entityService,
    config: {
      get: (path, fallback) => {
        const value = path.split('.').reduce<unknown>(ownValue, config);
        return value === undefined ? fallback : value;
      },
    },
    log,
  };
  return strictProxy('strapi', application);
}

const ownValue = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name) ? (holder as Data)[name] : undefined;

/** The default page size. */
const PAGE = 25;

const createEntityService = (entries: Entries): EntityService =>
  strictProxy('strapi.entityService', {
    findMany: async (uid, params) => entries.findMany(uid, params),
    findPage: async (uid, params = {}) => {
      const { page: ofPage, pageSize: size, pagination, ...otherParams } = params;
      const { page = 1, pageSize = PAGE } = {
        page: ofPage ?? 1,
        pageSize: size ?? PAGE,
        ...(pagination as object),
      } as {
        readonly page?: number;
        readonly pageSize?: number;
      };
      const [results, total] = await Promise.all([
        entries.findMany(uid, { ...otherParams, pagination: { page, pageSize } }),
        entries.count(uid, otherParams),
      ]);
      return { results, pagination: { page, pageSize, pageCount: Math.ceil(total / pageSize), total } };
    },
    findOne: async (uid, id, params) => entries.findOne(uid, Number(id), params).catch(ifNotFound(null)),
    count: async (uid, params) => entries.count(uid, params),
    create: async (uid, { data, ...params }) => entries.create(uid, data, params),
    update: async (uid, id, { data, ...params }) =>
      entries.update(uid, Number(id), data, params).catch(ifNotFound(null)),
    delete: async (uid, id, params) => entries.delete(uid, Number(id), params).catch(ifNotFound(null)),
  });
