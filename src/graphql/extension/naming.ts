import type { Attribute, Component, ContentType } from '../../content-types/model/types.js';
import {
  componentNames,
  enumName,
  namesOf,
  typeName,
  zoneInputName,
  zoneName,
  type TypeNames,
} from '../../plugins/contract/graphql/names.js';

type Any = ContentType | Component;

/** A model as `strapi.contentTypes` and `strapi.components` have it. */
interface StrapiModel {
  readonly uid: string;
  readonly modelType: string;
  readonly info: { readonly singularName?: string; readonly pluralName?: string };
}

/** The model in our form: what names are made of. */
function described<T extends Any>(model: T | StrapiModel): T {
  if (!('modelType' in model)) return model;
  const { uid, modelType, info } = model;
  return { uid, kind: modelType === 'component' ? 'component' : 'collectionType', ...info } as unknown as T;
}

const name =
  (key: keyof TypeNames) =>
  (model: ContentType | StrapiModel): string =>
    namesOf(described<ContentType>(model))[key];

/** An attribute of this kind. @throws Error when there is none */
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
export const naming = {
  getTypeName: (model: Any | StrapiModel): string => typeName(described<Any>(model)),
  getEntityName: name('entity'),
  getEntityResponseName: name('response'),
  getEntityResponseCollectionName: name('collection'),
  getRelationResponseCollectionName: name('relationCollection'),
  getContentTypeInputName: name('input'),
  getFiltersInputTypeName: (model: Any | StrapiModel): string => {
    const one = described<Any>(model);
    return (one.kind === 'component' ? componentNames(one) : namesOf(one)).filters;
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
