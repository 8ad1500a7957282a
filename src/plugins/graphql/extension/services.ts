import type { Component, ContentType } from '../../../content-types/types.js';
import { closed } from '../../closed.js';
import { toEntity, type Entity } from '../execution/to-entity.js';
import { componentNames, namesOf, type ComponentNames, type TypeNames } from '../../graphql-names.js';
import type { ExtensionService } from './extension.js';

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

/** What types and fields are called in the schema. */
export interface UtilsService {
  readonly naming: {
    readonly getTypeName: (of: ContentType) => string;
    readonly getEntityName: (of: ContentType) => string;
    readonly getEntityResponseName: (of: ContentType) => string;
    readonly getEntityResponseCollectionName: (of: ContentType) => string;
    readonly getRelationResponseCollectionName: (of: ContentType) => string;
    readonly getContentTypeInputName: (of: ContentType) => string;
    readonly getFiltersInputTypeName: (of: ContentType) => string;
    readonly getFindOneQueryName: (of: ContentType) => string;
    readonly getFindQueryName: (of: ContentType) => string;
    readonly getCreateMutationTypeName: (of: ContentType) => string;
    readonly getUpdateMutationTypeName: (of: ContentType) => string;
    readonly getDeleteMutationTypeName: (of: ContentType) => string;
    readonly getComponentName: (of: Component) => string;
  };
}

/** `strapi.plugin('graphql').service(…)` */
export interface GraphqlServices {
  readonly [name: string]: object;
  readonly extension: ExtensionService;
  readonly format: FormatService;
  readonly utils: UtilsService;
}

declare module '../../application.js' {
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

const name =
  (key: keyof TypeNames) =>
  (of: ContentType): string =>
    namesOf(of)[key];
const component =
  (key: keyof ComponentNames) =>
  (of: Component): string =>
    componentNames(of)[key];

const utils: UtilsService = {
  naming: closed('naming', {
    getTypeName: name('type'),
    getEntityName: name('entity'),
    getEntityResponseName: name('response'),
    getEntityResponseCollectionName: name('collection'),
    getRelationResponseCollectionName: name('relationCollection'),
    getContentTypeInputName: name('input'),
    getFiltersInputTypeName: name('filters'),
    getFindOneQueryName: name('findOne'),
    getFindQueryName: name('find'),
    getCreateMutationTypeName: name('create'),
    getUpdateMutationTypeName: name('update'),
    getDeleteMutationTypeName: name('delete'),
    getComponentName: component('type'),
  } satisfies UtilsService['naming']),
};

export const graphqlServices = (extension: ExtensionService): GraphqlServices => ({
  extension: closed('extension', extension),
  format: closed('format', format),
  utils: closed('utils', utils),
});
