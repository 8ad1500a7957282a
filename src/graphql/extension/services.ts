import { closed } from '../../plugins/contract/strict-proxy.js';
import { toEntity, type Entity } from '../execute/to-entity.js';
import type { ExtensionService } from './extension.js';
import { naming } from './naming.js';

type Values = Readonly<Record<string, unknown>>;

/** Puts entries, as the services give them, into the form of Strapi v4's response types. */
export interface FormatService {
  readonly returnTypes: {
    /** For fields of type `<Type>EntityResponse`. */
    readonly toEntityResponse: (entry: Values | null | undefined, info?: object) => { readonly data: Entity | null };
    /** For fields of type `<Type>EntityResponseCollection` and `<Type>RelationResponseCollection`. */
    readonly toEntityResponseCollection: (entries: readonly Values[], info?: object) => EntityResponseCollection;
  };
}

interface EntityResponseCollection {
  readonly data: readonly Entity[];
  readonly meta: { readonly pagination: Readonly<Record<'total' | 'page' | 'pageSize' | 'pageCount', number>> };
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

const format: FormatService = {
  returnTypes: closed('returnTypes', {
    toEntityResponse: (entry) => ({ data: entry ? toEntity(entry) : null }),
    toEntityResponseCollection: (entries) => {
      const total = entries.length;
      return { data: entries.map(toEntity), meta: { pagination: { total, page: 1, pageSize: total, pageCount: 1 } } };
    },
  } satisfies FormatService['returnTypes']),
};

const utils: UtilsService = {
  naming: closed('naming', naming),
  mappers: closed('mappers', {
    entityToResponseEntity: toEntity,
    entitiesToResponseEntities: (entries) => entries.map(toEntity),
  } satisfies UtilsService['mappers']),
};

export const graphqlServices = (extension: ExtensionService): GraphqlServices => ({
  extension: closed('extension', extension),
  format: closed('format', format),
  utils: closed('utils', utils),
});
