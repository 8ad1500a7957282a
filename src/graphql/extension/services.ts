import type { EntityService } from '../../plugins/contract/application.js';
import type { GraphqlResolver } from '../../plugins/contract/graphql/parts.js';
import { strictProxy } from '../../plugins/contract/strict-proxy.js';
import type { QueryInput } from '../../query/parse/input.js';
import { pageInfo, type PageInfo } from '../execute/listing.js';
import { toEntity, type Entity } from '../execute/to-entity.js';
import type { ExtensionService } from './extension.js';
import { naming } from './naming.js';

type Values = Readonly<Record<string, unknown>>;

/** Puts entries, as the services give them, into the form of Strapi v4's response types. */
export interface FormatService {
  readonly returnTypes: {
    /** For fields of type `<Type>EntityResponse`. */
    readonly toEntityResponse: (entry: Values | null | undefined, info?: object) => EntityResponse;
    /** For fields of type `<Type>EntityResponseCollection` and `<Type>RelationResponseCollection`. */
    readonly toEntityResponseCollection: (
      entries: readonly Values[],
      info?: CollectionInfo,
    ) => EntityResponseCollection;
  };
}

/** `info` is for `resolveType` of unions of responses. */
interface EntityResponse {
  readonly data: Entity | null;
  readonly info: object;
}

interface EntityResponseCollection {
  readonly info: object;
  readonly data: readonly Entity[];
  readonly meta: { readonly pagination: PageInfo | GraphqlResolver };
}

/** Of which content type entries are, and the arguments that they were found by: they tell the total. */
interface CollectionInfo {
  readonly args?: QueryInput;
  readonly resourceUID?: string;
}

/** What types and fields are called in the schema, and entries as its types read them. */
export interface UtilsService {
  readonly naming: typeof naming;
  readonly mappers: {
    readonly entityToResponseEntity: (entry: Values) => Entity;
    readonly entitiesToResponseEntities: (entries: readonly Values[]) => readonly Entity[];
  };
}

/** `strapi.plugin('graphql').service(…)` */
export interface GraphqlServices {
  readonly [name: string]: object;
  readonly extension: ExtensionService;
  readonly format: FormatService;
  readonly utils: UtilsService;
}

declare module '../../plugins/contract/application.js' {
  interface PluginServices {
    readonly graphql: GraphqlServices;
  }
}

const format = (entityService: () => EntityService | undefined): FormatService => ({
  returnTypes: strictProxy('returnTypes', {
    toEntityResponse: (entry, info = {}) => ({ data: entry ? toEntity(entry) : null, info }),
    toEntityResponseCollection: (entries, info = {}) => {
      const { args, resourceUID } = info;
      const allEntries = { total: entries.length, page: 1, pageSize: entries.length, pageCount: 1 };
      const counted = async (): Promise<PageInfo> => {
        const { start = 0, limit = entries.length, ...filtered } = args ?? {};
        const total = await entityService()?.count(String(resourceUID), filtered);
        return total === undefined
          ? allEntries
          : pageInfo({ start: Number(start), limit: Math.max(1, Number(limit)) }, total);
      };
      const pagination = args === undefined || resourceUID === undefined ? allEntries : counted;
      return { data: entries.map(toEntity), meta: { pagination }, info };
    },
  } satisfies FormatService['returnTypes']),
});

const utils: UtilsService = {
  naming: strictProxy('naming', naming),
  mappers: strictProxy('mappers', {
    entityToResponseEntity: toEntity,
    entitiesToResponseEntities: (entries) => entries.map(toEntity),
  } satisfies UtilsService['mappers']),
};

/** @param entityService undefined before the service has started */
export const graphqlServices = (
  extension: ExtensionService,
  entityService: () => EntityService | undefined = () => undefined,
): GraphqlServices => ({
  extension: strictProxy('extension', extension),
  format: strictProxy('format', format(entityService)),
  utils: strictProxy('utils', utils),
});
