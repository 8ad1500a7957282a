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

const name =
  (key: keyof TypeNames) =>
  (model: ContentType): string =>
    namesOf(model)[key];

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

/** Strapi v4's `service('utils').naming`, for content types and components of our registry. */
export const naming = {
  getTypeName: typeName,
  getEntityName: name('entity'),
  getEntityResponseName: name('response'),
  getEntityResponseCollectionName: name('collection'),
  getRelationResponseCollectionName: name('relationCollection'),
  getContentTypeInputName: name('input'),
  getFiltersInputTypeName: (model: Any): string =>
    (model.kind === 'component' ? componentNames(model) : namesOf(model)).filters,
  getScalarFilterInputTypeName: (scalar: string): string => `${scalar}FilterInput`,
  getFindOneQueryName: name('findOne'),
  getFindQueryName: name('find'),
  getCreateMutationTypeName: name('create'),
  getUpdateMutationTypeName: name('update'),
  getDeleteMutationTypeName: name('delete'),
  getComponentName: (model: Component): string => componentNames(model).type,
  getComponentInputName: (model: Component): string => componentNames(model).input,
  getEnumName: (model: Any, attribute: string): string => enumName(model, attributeOf(model, attribute, 'scalar')),
  getDynamicZoneName: (model: Any, attribute: string): string => zoneName(model, attributeOf(model, attribute, 'zone')),
  getDynamicZoneInputName: (model: Any, attribute: string): string =>
    zoneInputName(model, attributeOf(model, attribute, 'zone')),
};
