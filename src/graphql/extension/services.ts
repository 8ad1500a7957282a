import type { Data } from '../../config/record.js';
import { typeName } from '../../content-types/model/type-name.js';
import type { Registry, Attribute, Component, ContentType } from '../../content-types/model/types.js';
import { strictProxy } from '../../plugins/contract/strict-proxy.js';
import { filterInput } from '../execute/filter-input.js';
import type { ListLimits } from '../execute/listing.js';
import type { ResponseInfo } from '../execute/response-types.js';
import { createBuilders, isGraphqlScalar, type ConvertFilters } from './builders.js';
import { nexus, type ExtensionService } from './extension.js';
import { scalarNameOf } from '../schema/scalars/scalar-names.js';
import {
  componentNames,
  enumName,
  namesOf,
  zoneInputName,
  zoneName,
  type TypeNames,
} from '../../plugins/contract/graphql/names.js';

declare module '../../plugins/contract/application.js' {
  interface PluginServices {
    readonly graphql: ReturnType<typeof graphqlServices> & Readonly<Record<string, object>>;
  }
}

/**
 * What resolvers return for fields of response types; `info` is for the total, and for `resolveType` of unions of them.
 */
const returnTypes = strictProxy('returnTypes', {
  /** For fields of type `<Type>EntityResponse`. */
  toEntityResponse: (value: Data | null | undefined, { args = {}, resourceUID }: ResponseInfo = {}) => ({
    value,
    info: { args, resourceUID },
  }),
  /** For fields of type `<Type>EntityResponseCollection` and `<Type>RelationResponseCollection`. */
  toEntityResponseCollection: (
    nodes: readonly Data[] | null | undefined,
    { args = {}, resourceUID }: ResponseInfo = {},
  ) => ({
    nodes,
    info: { args, resourceUID },
  }),
});

type Any = ContentType | Component;

/** A model in the form of `strapi.contentTypes` and `strapi.components`. */
interface StrapiModel {
  readonly uid: string;
  readonly modelType: string;
  readonly info: { readonly singularName?: string; readonly pluralName?: string };
}

/** The parts of a model that names are derived from. */
function described<T extends Any>(model: T | StrapiModel): T {
  if (!('modelType' in model)) return model;
  const { uid, modelType, info } = model;
  return { uid, kind: modelType === 'component' ? 'component' : 'collectionType', ...info } as unknown as T;
}

const name =
  (key: keyof TypeNames) =>
  (model: ContentType | StrapiModel): string =>
    namesOf(described<ContentType>(model))[key];

/** An attribute of this kind. @throws Error if there is none */
function attributeOf<K extends Attribute['kind']>(
  { uid, attributes }: Any,
  attributeName: string,
  kind: K,
): Extract<Attribute, { readonly kind: K }> {
  const attribute = attributes.get(attributeName);
  if (attribute?.kind === kind) return attribute as Extract<Attribute, { readonly kind: K }>;
  throw new Error(`${uid} has no attribute ${attributeName} of this kind (${kind})`);
}

/** Strapi v4's `service('utils').naming`, for content types and components of our registry and of `strapi`. */
const naming = {
  getTypeName: (model: Any | StrapiModel): string => typeName(described<Any>(model)),
  getEntityName: name('entity'),
  getEntityResponseName: name('response'),
  getEntityResponseCollectionName: name('collection'),
  getRelationResponseCollectionName: name('relationCollection'),
  getContentTypeInputName: name('input'),
  getFiltersInputTypeName: (model: Any | StrapiModel): string => {
    const linked = described<Any>(model);
    return (linked.kind === 'component' ? componentNames(linked) : namesOf(linked)).filters;
  },
  getScalarFilterInputTypeName: (scalar: string): string => `${scalar}FilterInput`,
  getFindOneQueryName: name('findOne'),
  getFindQueryName: name('find'),
  getCreateMutationTypeName: name('create'),
  getUpdateMutationTypeName: name('update'),
  getDeleteMutationTypeName: name('delete'),
  getComponentName: (model: Component | StrapiModel): string => componentNames(described<Component>(model)).type,
  getComponentInputName: (model: Component | StrapiModel): string => componentNames(described<Component>(model)).input,
  getEnumName: (model: Any, attribute: string): string => enumName(model, attributeOf(model, attribute, 'scalar')),
  getDynamicZoneName: (model: Any, attribute: string): string => zoneName(model, attributeOf(model, attribute, 'zone')),
  getDynamicZoneInputName: (model: Any, attribute: string): string =>
    zoneInputName(model, attributeOf(model, attribute, 'zone')),
};

/** An attribute in the form of `strapi.contentTypes`. */
interface StrapiAttribute {
  readonly type: string;
  readonly relation?: string;
}

const isType =
  (type: string) =>
  (attribute: StrapiAttribute): boolean =>
    attribute.type === type;

/** Strapi v4's `service('utils').attributes`. */
const attributeKinds = {
  isStrapiScalar: ({ type }: StrapiAttribute): boolean => scalarNameOf(type) !== undefined,
  isGraphQLScalar: ({ type }: StrapiAttribute): boolean => isGraphqlScalar(type),
  isMorphRelation: ({ type, relation }: StrapiAttribute): boolean =>
    type === 'relation' && relation?.includes('morph') === true,
  isMedia: isType('media'),
  isRelation: isType('relation'),
  isEnumeration: isType('enumeration'),
  isComponent: isType('component'),
  isDynamicZone: isType('dynamiczone'),
};

const toEntity = (entry: Data) => ({ id: entry['id'], attributes: entry });

/** The names of types and fields in the schema, and entries in the form of its types. */
const utils = (convert: ConvertFilters) => ({
  naming: strictProxy("strapi.plugin('graphql').service('utils').naming", naming),
  /** The kind of an attribute of `strapi.contentTypes`. */
  attributes: strictProxy('attributes', attributeKinds),
  mappers: strictProxy("strapi.plugin('graphql').service('utils').mappers", {
    /** The type in the schema of values of an attribute type; undefined for relations, components and zones. */
    strapiScalarToGraphQLScalar: scalarNameOf,
    entityToResponseEntity: toEntity,
    entitiesToResponseEntities: (entries: readonly Data[]) => entries.map(toEntity),
    graphQLFiltersToStrapiQuery: convert,
  }),
});

/**
 * `strapi.plugin('graphql').service(…)`
 * @param runningRegistry undefined before the service has started
 */
export function graphqlServices(
  extension: ExtensionService,
  limits: ListLimits,
  runningRegistry: () => Registry | undefined = () => undefined,
) {
  const convert: ConvertFilters = (filters, { uid }) => {
    const registry = runningRegistry();
    if (registry === undefined) throw new Error('filters cannot be converted before bootstrap');
    const model = registry.contentTypes.get(uid) ?? registry.components.get(uid);
    if (model === undefined) throw new Error(`Model ${uid} not found`);
    return filterInput(filters ?? {}, model.attributes);
  };
  return {
    builders: strictProxy('builders', createBuilders(convert, limits)),
    extension: strictProxy("strapi.plugin('graphql').service('extension')", extension),
    format: strictProxy('format', { returnTypes }),
    internals,
    utils: strictProxy('utils', utils(convert)),
  };
}

/** Strapi v4's `service('internals')`: arguments of generated fields, for fields that a project defines with nexus. */
const internals = strictProxy("strapi.plugin('graphql').service('internals')", {
  args: strictProxy('internals.args', {
    get SortArg() {
      return nexus().arg({ type: nexus().list('String'), default: [] });
    },
    get PaginationArg() {
      return nexus().arg({ type: 'PaginationArg', default: {} });
    },
    get PublicationStateArg() {
      return nexus().arg({ type: 'PublicationState', default: 'live' });
    },
  }),
});
